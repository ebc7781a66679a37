/**
 * `npm run torture -- NAME [--rounds N] [--seed N]`: runs one campaign whole, prints its figures and
 * keeps them in `e2e/torture/results`. Exit code 1 when a promise did not hold. One that is interrupted
 * ends its processes and takes its folders away. Short forms of the campaigns are tests.
 */
import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CAMPAIGNS } from './campaigns.ts'
import { clearUp } from './leftovers.ts'

const RESULTS = fileURLToPath(new URL('./results', import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, seed: { type: 'string' } },
})
const campaign = CAMPAIGNS.find(({ name }) => name === positionals[0])
if (campaign === undefined || positionals.length > 1) {
  const list = CAMPAIGNS.map(({ name, about }) => `  ${name.padEnd(16)}${about}`).join('\n')
  process.stderr.write(`Usage: npm run torture -- NAME [--rounds N] [--seed N]\n\n${list}\n`)
  process.exit(2)
}
const rounds = integerOf('--rounds', values.rounds ?? String(campaign.rounds))
const drawn = campaign.isRandom === true ? randomInt(2 ** 31) : 1
const seed = integerOf('--seed', values.seed ?? String(drawn))
const running = campaign.run({
  rounds,
  seed,
  log: (line) => process.stderr.write(`${line}\n`),
})
// Failures after an interruption are caused by it.
running.catch(() => {})
let figures: Awaited<typeof running> | number
try {
  figures = await Promise.race([running, interruption()])
} finally {
  await clearUp()
}
if (typeof figures === 'number') process.exit(figures)
const rows = figures.map(
  ({ name, value, goal, met }) =>
    `| ${name} | ${value} | ${goal ?? ''} | ${met === undefined ? '' : met ? 'yes' : 'NO'} |`,
)
process.stdout.write(`| figure | value | goal | met |\n|---|---:|---|---|\n${rows.join('\n')}\n`)
mkdirSync(RESULTS, { recursive: true })
const file = `${RESULTS}/${campaign.name}.json`
writeFileSync(file, `${JSON.stringify({ rounds, seed, figures }, null, 2)}\n`)
process.exit(figures.some(({ met }) => met === false) ? 1 : 0)

/** The exit code of an interruption, by shell convention. */
function interruption(): Promise<number> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve(130))
    process.once('SIGTERM', () => resolve(143))
  })
}

function integerOf(flag: string, text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  process.stderr.write(`${flag} must be a whole number\n`)
  process.exit(2)
}
