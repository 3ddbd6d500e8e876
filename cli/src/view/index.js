'use strict';
const cards = [...document.querySelectorAll('li')].map((card) => ({ card, text: card.textContent.toLowerCase(), isFaulty: !!card.querySelector('.error, .warning') }));
const [wanted, faulty, count] = ['wanted', 'faulty', 'count'].map((id) => document.getElementById(id));
function choose() {
  const words = wanted.value.toLowerCase().split(' ');
  let shown = 0;
  for (const { card, text, isFaulty } of cards) {
    card.hidden = !words.every((word) => text.includes(word)) || faulty.checked && !isFaulty;
    shown += card.hidden ? 0 : 1;
  }
  count.textContent = `${shown} of ${cards.length}`;
}
wanted.addEventListener('input', choose);
faulty.addEventListener('change', choose);
document.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
choose();
