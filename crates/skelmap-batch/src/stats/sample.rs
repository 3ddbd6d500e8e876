//! What many numbers are like: quantiles and a histogram.

/// The bars of a histogram.
const BARS: u32 = 10;

/// From this ratio of the greatest number to the least, the bars have the same ratio instead of the same width.
const WIDE: f64 = 100.0;

/// Numbers in ascending order, at least one.
#[derive(Debug)]
pub(super) struct Sample(Vec<f64>);

/// How many numbers lie between edges.
#[derive(Debug)]
pub(super) struct Histogram {
    /// One more than bars.
    pub(super) edges: Vec<f64>,
    pub(super) bars: Vec<u64>,
}

impl Sample {
    /// `None` without a number.
    pub(super) fn new(mut numbers: Vec<f64>) -> Option<Self> {
        numbers.sort_by(f64::total_cmp);
        (!numbers.is_empty()).then_some(Self(numbers))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The number below which this part of the numbers lies, between two numbers in proportion.
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^53 numbers fit into memory")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the number of numbers")]
    pub(super) fn quantile(&self, part: f64) -> f64 {
        let place = part * self.0.len().saturating_sub(1) as f64;
        let number = |at: usize| self.0.get(at).or(self.0.last()).copied().unwrap_or(f64::NAN);
        let (below, above) = (number(place.floor() as usize), number(place.ceil() as usize));
        below + (above - below) * place.fract()
    }

    /// Bars of the same width between the least and the greatest number; of the same ratio, if these are far apart.
    pub(super) fn histogram(&self) -> Histogram {
        let (least, greatest) = (self.quantile(0.0), self.quantile(1.0));
        if least >= greatest {
            return Histogram { edges: vec![least, greatest], bars: vec![self.0.len() as u64] };
        }
        let has_ratio = least > 0.0 && greatest / least >= WIDE;
        let edge = |bar: u32| {
            let (bar, bars) = (f64::from(bar), f64::from(BARS));
            if has_ratio {
                least * (greatest / least).powf(bar / bars)
            } else {
                least + (greatest - least) * bar / bars
            }
        };
        let inner = (1..BARS).map(edge);
        let edges: Vec<f64> = [least].into_iter().chain(inner).chain([greatest]).collect();
        // Like those of NumPy: a number on an edge belongs to the bar above, the greatest to the last.
        let mut places: Vec<usize> = edges.iter().map(|edge| self.0.partition_point(|number| number < edge)).collect();
        places.last_mut().into_iter().for_each(|last| *last = self.0.len());
        let bars = places.iter().zip(places.iter().skip(1)).map(|(start, end)| (end - start) as u64).collect();
        Histogram { edges, bars }
    }
}

impl Histogram {
    /// The bars as characters, as high as the number of their numbers.
    pub(super) fn picture(&self) -> String {
        const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let most = self.bars.iter().max().copied().unwrap_or(0).max(1);
        let level = |count: &u64| {
            let level = u128::from(*count) * (LEVELS.len() as u128 - 1) / u128::from(most);
            let level = usize::try_from(level).ok().and_then(|level| LEVELS.get(level));
            level.filter(|_| *count > 0).copied().unwrap_or(' ')
        };
        self.bars.iter().map(level).collect::<String>().trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(numbers: &[f64]) -> Histogram {
        Sample::new(numbers.to_vec()).unwrap().histogram()
    }

    /// A number on an edge belongs to the bar above, the greatest to the last.
    #[test]
    fn bars_have_one_width_and_far_apart_one_ratio() {
        let found = histogram(&[0.0, 1.0, 1.5, 2.0, 10.0]);
        assert_eq!(found.edges, (0..=10).map(f64::from).collect::<Vec<_>>());
        assert_eq!(found.bars, [1, 2, 1, 0, 0, 0, 0, 0, 0, 1]);
        // From a ratio of 100 on.
        let ratio = 100.0_f64.powf(0.1);
        let found = histogram(&[1.0, 100.0]).edges;
        assert!((0..=10).zip(found).all(|(bar, edge)| (edge / ratio.powi(bar) - 1.0).abs() < 1e-12));
        let found = histogram(&[1.0, 99.9]).edges;
        assert!((found[1] - 10.89).abs() < 1e-9, "{found:?}");
        let found = histogram(&[-1.0, 1e6]).edges;
        assert!((found[1] - 99_999.1).abs() < 1e-6, "{found:?}");
        let one = histogram(&[7.0; 3]);
        assert_eq!((one.edges, one.bars), (vec![7.0, 7.0], vec![3]));
    }

    #[test]
    fn a_picture_has_a_level_for_each_bar_and_none_for_an_empty_one() {
        let picture = |bars: &[u64]| Histogram { edges: Vec::new(), bars: bars.to_vec() }.picture();
        assert_eq!(picture(&[0, 1, 7, 14, 0, 0]), " ▁▄█");
        assert_eq!(picture(&[u64::MAX, u64::MAX / 2, 1]), "█▄▁");
        assert_eq!(picture(&[0, 0]), "");
    }
}
