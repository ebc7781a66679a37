import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashText } from '../backend/domain/hash.ts'
import { fingerprintOf } from '../backend/domain/pairing/fingerprint.ts'
import { recordedCatalogues, recordingsFolder, usMarkets } from './pairing-catalogue.ts'

/**
 * Counts in how many recorded titles each term occurs and writes the counts that the product ships:
 * `node scripts/title-frequencies.ts`. Of the sports venue's titles, which repeat a few sentences
 * 100,000 times, one in sixteen is counted.
 */

const FILE = join(import.meta.dirname, '..', 'backend/domain/pairing/title-frequencies.json')
const MIN_TITLES = 3
const SPORTS_SHARE = 16

/** One in so many titles, always the same. */
const isSampled = (title: string): boolean =>
  Number.parseInt(hashText(title).slice(0, 4), 16) % SPORTS_SHARE === 0

/** Two significant digits. */
const roundCount = (count: number): number => Number(count.toPrecision(2))

const folder = recordingsFolder()
if (folder === null) {
  console.log('No recorded data: set AUGURY_RECORDINGS to the folder that holds pairs/.')
  process.exit(1)
}
const markets = (await recordedCatalogues(folder)).flatMap((catalogue) => catalogue.markets)
const distinct = new Map(markets.map((market) => [`${market.venue} ${market.title}`, market]))
for (const market of await usMarkets(folder)) {
  if (isSampled(market.title)) distinct.set(`us ${market.title}`, market)
}
const counts = new Map<string, number>()
for (const market of distinct.values()) {
  for (const term of fingerprintOf(market).terms) counts.set(term, (counts.get(term) ?? 0) + 1)
}
const byCount = new Map<number, string[]>()
for (const [term, count] of counts) {
  if (count < MIN_TITLES) continue
  const terms = byCount.get(roundCount(count)) ?? []
  terms.push(term)
  byCount.set(roundCount(count), terms)
}
const levels = [...byCount]
  .sort(([a], [b]) => b - a)
  .map(([count, terms]) => ({ count, terms: terms.sort().join(' ') }))
const shipped = { titles: distinct.size, counts: levels }
writeFileSync(FILE, `${JSON.stringify(shipped, null, 2)}\n`)
console.log(`${distinct.size} titles, ${counts.size} terms`)
