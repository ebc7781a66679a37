/**
 * Runs the checks of package.json, two at a time, in lanes that need about the same processor time.
 * The output of a check is printed when it has ended. A failure does not stop the other checks; the
 * exit code is then 1.
 */
import { spawn } from 'node:child_process'

const LANES = [
  ['check:types', 'check:layers', 'check:conventions'],
  ['check:lint', 'check:format'],
]
const cli = process.env.npm_execpath
const WINDOWS = process.platform === 'win32'

/** The npm that runs this script, else the one on the PATH. */
function startScript(name) {
  const args = ['run', '--silent', name]
  const options = { stdio: ['ignore', 'pipe', 'pipe'] }
  if (cli !== undefined && /\.c?js$/.test(cli)) {
    return spawn(process.execPath, [cli, ...args], options)
  }
  return spawn('npm', args, { ...options, shell: WINDOWS })
}

/** Resolves with true when the script succeeded. */
async function passes(name) {
  const started = performance.now()
  const child = startScript(name)
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => printed.push(part))
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  const seconds = Math.round((performance.now() - started) / 1000)
  const verdict = code === 0 ? 'passed' : 'FAILED'
  process.stdout.write(`\n${name} ${verdict} after ${seconds} s\n${Buffer.concat(printed)}`)
  return code === 0
}

async function runLane(names) {
  let good = true
  for (const name of names) good = (await passes(name)) && good
  return good
}

const verdicts = await Promise.all(LANES.map(runLane))
if (verdicts.includes(false)) process.exitCode = 1
