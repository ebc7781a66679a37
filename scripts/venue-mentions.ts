import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'

/**
 * Prints the product files that name a venue by id or by the name of its exchange. Connectors, the
 * simulator, imports of recorded files and of account statements, and tests may name one; of the
 * others only `domain/venue.ts` with the table of venues. Exits with 1 when another one does. Run: `node scripts/venue-mentions.ts`.
 */
const TABLE = 'backend/domain/venue.ts'
const MENTION = /venue[_-]?[ab](?![a-z])|venue[AB](?=[A-Z])|kalshi|polymarket/i
const MAY_NAME =
  /^backend\/(?:venues|simulator|testing|ingest\/import)\/|^renderer\/testing\/|^scripts\/pairing-catalogue\.ts$|\.test\.ts$/
/** Account statements: their files, rows and routes, and the examples of these. */
const STATEMENTS =
  /^backend\/(?:domain\/portfolio\/statement\/|features\/portfolio\/bookkeeping\/|cli\/portfolio\/|contract\/(?:routes|orders\/imports)\.ts$)|^scripts\/openapi-examples[/.]/

const tracked = execFileSync('git', ['ls-files', 'backend', 'electron', 'renderer', 'scripts'], {
  encoding: 'utf8',
})
const files = tracked
  .split('\n')
  .filter(
    (file) => /\.(?:ts|mjs|svelte)$/.test(file) && !MAY_NAME.test(file) && !STATEMENTS.test(file),
  )
  .filter((file) => file !== 'scripts/venue-mentions.ts')
  .filter((file) => MENTION.test(readFileSync(file, 'utf8')))

for (const file of files) console.log(file)
console.log(`${files.length} files name a venue; only ${TABLE} may`)
process.exitCode = files.every((file) => file === TABLE) ? 0 : 1
