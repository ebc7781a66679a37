// Cross-venue pairs over recorded titles: precision and recall at confidence 0.8 by size of the catalogue.
import type { PairingFacts } from '../backend/domain/pairing/fingerprint.ts'
import { systemClock } from '../backend/lib/clock.ts'
import {
  committedFillers,
  marketKey,
  PAIRING_SETS,
  pairingSet,
  scorePairing,
} from '../backend/testing/pairing-set.ts'
import type { KnownPair, PairingScores, PairingSet } from '../backend/testing/pairing-set.ts'
import { recordedCatalogues, recordingsFolder, usMarkets } from '../scripts/pairing-catalogue.ts'
import type { BenchRow } from './bench-row.ts'

/** Titles that the repository holds suffice for these sizes. */
const COMMITTED_SIZES = [500, 2_000, 5_000]
/** Filled from the recordings where they are present. */
const RECORDED_SIZES = [20_000, 50_000]
const GOALS = { recall: '≥ 0.85', precision: '≥ 0.98' }

/** A fixed shuffle, so that every size holds titles of all sources. */
function shuffled<T>(items: readonly T[]): T[] {
  let state = 7
  const order = items.map((item) => {
    state = (state * 16_807) % 2_147_483_647
    return { item, state }
  })
  return order.sort((a, b) => a.state - b.state).map(({ item }) => item)
}

const titleOf = ({ venue, title }: PairingFacts): string =>
  `${venue} ${title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`

/** Markets whose titles are not yet in the catalogue, each once. */
function withoutRepeats(markets: readonly PairingFacts[], known: Set<string>): PairingFacts[] {
  return markets.filter((market) => {
    const title = titleOf(market)
    const isNew = !known.has(title)
    known.add(title)
    return isNew
  })
}

async function recordedFillers(): Promise<PairingFacts[]> {
  const folder = recordingsFolder()
  if (folder === null) return []
  const catalogues = await recordedCatalogues(folder)
  const recorded = catalogues.flatMap(({ name, markets }) =>
    markets.map((market) => ({ ...market, ticker: `${name} ${market.ticker}` })),
  )
  return [...recorded, ...(await usMarkets(folder))]
}

/** Labelled pairs in groups of whole events whose markets fill at most half of a catalogue. */
function groupsOf({ pairs }: PairingSet, room: number): KnownPair[][] {
  const groups: KnownPair[][] = []
  const keys = new Set<string>()
  let group: KnownPair[] = []
  for (const event of shuffled([...new Set(pairs.map((pair) => pair.event))])) {
    const pairsOfEvent = pairs.filter((pair) => pair.event === event)
    const ends = pairsOfEvent.flatMap(({ a, b }) => [a, b])
    if (group.length > 0 && new Set([...keys, ...ends]).size > room) {
      groups.push(group)
      group = []
      keys.clear()
    }
    group.push(...pairsOfEvent)
    for (const end of ends) keys.add(end)
  }
  groups.push(group)
  return groups
}

function catalogueOf(
  set: PairingSet,
  group: readonly KnownPair[],
  fillers: readonly PairingFacts[],
  size: number,
): PairingFacts[] {
  const labelled = [...new Set(group.flatMap(({ a, b }) => [a, b]))]
  const markets = labelled.flatMap((key) => set.markets.get(key) ?? [])
  return [...markets, ...fillers.slice(0, size - markets.length)]
}

/** Scores of all labelled pairs in catalogues of so many titles. */
function scoresAt(set: PairingSet, fillers: readonly PairingFacts[], size: number) {
  const since = systemClock.monotonic()
  const room = size >= 5_000 ? Infinity : size / 2
  const scores: PairingScores[] = groupsOf(set, room).map((group, index) => {
    // Each group meets other titles.
    const from = (index * size) % Math.max(1, fillers.length - size)
    return scorePairing(catalogueOf(set, group, fillers.slice(from), size), group, set.read)
  })
  return { scores, seconds: (systemClock.monotonic() - since) / 1_000 }
}

function rowsAt(set: PairingSet, fillers: readonly PairingFacts[], size: number): BenchRow[] {
  const { scores, seconds } = scoresAt(set, fillers, size)
  const sum = (read: (score: PairingScores) => number): number =>
    scores.reduce((total, score) => total + read(score), 0)
  for (const { kind, set: name, titles } of scores.flatMap(({ misses }) => misses)) {
    // The held-out pairs stay unread.
    if (name !== 'held-out')
      process.stderr.write(`${size} titles, ${name ?? 'other'}: ${kind} ${titles}\n`)
  }
  const row = (what: string, ours: number, goal: string, note: string): BenchRow => ({
    name: `pairs, ${size} titles, ${what}`,
    ours,
    baseline: null,
    unit: 'share',
    ratio: null,
    goal,
    note,
  })
  const rows = PAIRING_SETS.flatMap((name) => {
    const same = sum(({ sets }) => sets[name].same)
    const found = sum(({ sets }) => sets[name].found)
    const wrong = sum(({ sets }) => sets[name].wrong)
    return [
      row(`${name} set, recall`, found / same, GOALS.recall, `${found} of ${same}`),
      row(`${name} set, precision`, found / (found + wrong), GOALS.precision, `${wrong} wrong`),
    ]
  })
  const served = sum(({ others }) => others.served)
  const wrong = sum(({ others }) => others.wrong)
  const right = sum(({ sets }) => PAIRING_SETS.reduce((all, name) => all + sets[name].found, 0))
  const all =
    right + served + sum(({ sets }) => PAIRING_SETS.reduce((n, name) => n + sets[name].wrong, 0))
  const precision = (right + served - wrong) / all
  const note = `${all} pairs served, ${served} of them besides the labelled; ${seconds.toFixed(1)} s`
  return [...rows, row('all served, precision', precision, GOALS.precision, note)]
}

/** Precision and recall of pairs at confidence 0.8; goals hold for every size. */
export async function benchPairs(): Promise<BenchRow[]> {
  const set = pairingSet()
  const known = new Set([...set.markets.values()].map(titleOf))
  const committed = shuffled(withoutRepeats(committedFillers(), known))
  const recorded = withoutRepeats(await recordedFillers(), known)
  const fillers = [...committed, ...recorded]
  const sizes = recorded.length === 0 ? COMMITTED_SIZES : [...COMMITTED_SIZES, ...RECORDED_SIZES]
  const unique = [...new Map(fillers.map((market) => [marketKey(market), market])).values()]
  return sizes.flatMap((size) => rowsAt(set, size <= 5_000 ? committed : unique, size))
}
