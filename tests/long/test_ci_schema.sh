#!/bin/bash
# docs/CI.md's two files as their systems read them: GitHub's own workflow parser, and GitLab's schema by gitlab-ci-local.
# Both refuse a file with a word that they do not know.
. "$(dirname "$0")/../golden/lib.sh"
need_tools npm node git
cd "$work" || exit 1
python=python3
$python -c 'import yaml' 2>/dev/null || python=/usr/bin/python3
$python - "$root/docs/CI.md" <<'END' || fail "docs/CI.md"
import re
import sys

import yaml

text = open(sys.argv[1]).read()
yamls = dict(re.findall(r"\n## ([^\n]+)\n(?:(?!\n## ).)*?```yaml\n(.*?)```", text, re.S))
for name, to in (("GitHub Actions", "github.yml"), ("GitLab", ".gitlab-ci.yml")):
    yaml.safe_load(yamls[name])
    open(to, "w").write(yamls[name])
END
mkdir npm
# Later versions of gitlab-ci-local want a newer node than Debian has.
npm install --silent --no-audit --no-fund --prefix npm @actions/workflow-parser gitlab-ci-local@4.50.0 >npm.log 2>&1 ||
	skip "npm does not give the parsers"

# The parser imports JSON without saying so, which node refuses.
cat >npm/json.mjs <<'END'
import { readFileSync } from "node:fs";
export async function load(url, context, next) {
	return url.endsWith(".json") ?
	       { format: "module", shortCircuit: true, source: "export default " + readFileSync(new URL(url), "utf8") } :
	       next(url, context);
}
END
cat >npm/parse.mjs <<'END'
import { readFileSync } from "node:fs";
import { NoOperationTraceWriter, convertWorkflowTemplate, parseWorkflow } from "@actions/workflow-parser";

const file = { name: process.argv[2], content: readFileSync(process.argv[2], "utf8") };
const parsed = parseWorkflow(file, new NoOperationTraceWriter());
const workflow = parsed.value && await convertWorkflowTemplate(parsed.context, parsed.value);
const errors = [...parsed.context.errors.getErrors(), ...(workflow?.errors ?? [])];
for (const e of errors)
	console.log(e.message ?? e.Message);
process.exit(errors.length || workflow.jobs.length != 1 || workflow.jobs[0].steps.length < 8 ? 1 : 0);
END
github() { (cd npm && node --no-warnings --experimental-loader ./json.mjs parse.mjs "../$1") >said 2>&1; }
gitlab() { HOME=$work npm/node_modules/.bin/gitlab-ci-local --file "$1" --list >said 2>&1; }

github github.yml || fail "GitHub's parser: $(cat said)"
for wrong in 's/runs-on/runs_on/' 's/steps\.base\./steps_base./' 's/always()/allways()/'; do
	sed "$wrong" github.yml >wrong.yml
	github wrong.yml && fail "GitHub's parser takes $wrong"
done
git init -q . || fail "git"
gitlab .gitlab-ci.yml || fail "GitLab's schema: $(cat said)"
for wrong in 's/^  script:/  scripts:/' 's/when: always/when: allways/'; do
	sed "$wrong" .gitlab-ci.yml >wrong.yml
	gitlab wrong.yml && fail "GitLab's schema takes $wrong"
done
echo "ok: the files of docs/CI.md"
