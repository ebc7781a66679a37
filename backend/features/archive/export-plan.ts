import { extname, join } from 'node:path'
import { WIDTHS } from '../../domain/candle.ts'
import { canonicalTicker, type MarketFacts, type Venue } from '../../domain/market.ts'
import { listTopicsOf, topicsOf } from '../../domain/topics.ts'
import type { Millis } from '../../domain/units.ts'
import type { CopiedKind, CopyFormat } from '../../history/history-copies.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import { parseInstant } from '../../http/params.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { PlaceOf } from './export-places.ts'
import { EXPORT_FORMATS, type StartExport } from './exports.schema.ts'

/** One file of an export. */
export interface ExportPart {
  readonly kind: CopiedKind
  /** Where it goes. */
  readonly path: string
  /** Left out when it would have no rows. */
  readonly isOptional: boolean
}

/** What an export writes, checked and resolved. */
export interface ExportPlan {
  /** What was asked for; where it leads is looked at again before anything is moved there. */
  readonly out: string
  readonly place: string
  readonly parts: readonly ExportPart[]
  readonly markets: readonly MarketId[] | null
  readonly venue: Venue | null
  readonly from: Millis
  /** Null: up to the moment it runs. */
  readonly to: Millis | null
  readonly format: CopyFormat
  /** Width of bars; null for those that are stored. */
  readonly width: Millis | null
  readonly force: boolean
}

/** Names of kinds as they are asked for, in the order in which they are written. */
const KINDS = {
  trades: 'trades',
  quotes: 'quotes',
  book: 'books',
  candles: 'candles',
  snapshots: 'activity',
} as const satisfies Record<NonNullable<StartExport['kind']>, CopiedKind>

type KindName = keyof typeof KINDS

/** What an export of everything holds besides: an import needs it to answer as this history does. */
const BESIDES = ['changes', 'coverage', 'corrections'] as const satisfies CopiedKind[]

/**
 * Plans an export. With one kind and an `out` that ends in a format's name it is one file, with the
 * facts of its markets beside it; everything else goes into a folder. Without a kind everything that
 * is known of the markets is written.
 * @throws InvalidInput
 */
export async function planExport(
  body: StartExport,
  deps: { history: HistoryStore; placeOf: PlaceOf; now: Millis },
): Promise<ExportPlan> {
  const { out, kind, format, tf, venue = null, force = false } = body
  if (tf !== undefined && kind !== 'candles') throw new InvalidInput('tf needs kind candles')
  const from = instantOf('from', body.from) ?? (0 as Millis)
  const to = instantOf('to', body.to)
  if (to !== null && from >= to) throw new InvalidInput('from must be before to')
  const ending = EXPORT_FORMATS.find((each) => extname(out).toLowerCase() === `.${each}`)
  if (ending !== undefined && ending !== format) {
    throw new InvalidInput(`format is ${format}, but out ends in .${ending}`)
  }
  if (ending !== undefined && kind === undefined) {
    throw new InvalidInput('out must be a folder where no kind is given')
  }
  const place = await deps.placeOf(out)
  const nameOf = (name: string): string => join(place, `${name}.${format}`)
  const kinds: readonly KindName[] =
    kind === undefined ? (Object.keys(KINDS) as KindName[]) : [kind]
  const facts = ending === undefined ? nameOf('markets') : besides(place, ending)
  return {
    ...{ out, place, venue, from, to, format, force },
    parts: [
      { kind: 'facts', path: facts, isOptional: true },
      ...kinds.map((each) => ({
        kind: tf === undefined ? KINDS[each] : ('bars' as const),
        path: ending === undefined ? nameOf(each) : place,
        isOptional: kind === undefined,
      })),
      ...(kind === undefined ? BESIDES : []).map((each) => ({
        ...{ kind: each, path: nameOf(each), isOptional: true },
      })),
    ],
    markets: await marketsOf(body, deps),
    width: tf === undefined ? null : WIDTHS[tf],
  }
}

/** `day.markets.csv` for `day.csv`. */
const besides = (path: string, ending: string): string =>
  `${path.slice(0, -ending.length - 1)}.markets.${ending}`

function instantOf(name: string, text: string | undefined): Millis | null {
  if (text === undefined) return null
  const at = parseInstant(text)
  if (at === null) throw new InvalidInput(`${name} must be an ISO 8601 time`)
  return at
}

/** The named markets of the topic; null for all. */
async function marketsOf(
  { markets: tickers, topic }: StartExport,
  { history, now }: { history: HistoryStore; now: Millis },
): Promise<readonly MarketId[] | null> {
  const named =
    tickers?.map((text) => {
      const found = history.marketIdOf(canonicalTicker(text))
      if (found === null) throw new InvalidInput(`markets holds an unknown ticker: ${text}`)
      return found.market
    }) ?? null
  if (topic === undefined) return named
  const isAsked = inTopic(topic.toLowerCase())
  const records = await history.recordsAt(now, named)
  const found = records.filter(({ facts }) => isAsked(facts)).map(({ market }) => market)
  if (found.length === 0) throw new InvalidInput(`topic holds no market: ${topic}`)
  return found
}

/** As the lists of markets filter. */
const inTopic =
  (topic: string) =>
  (facts: MarketFacts): boolean =>
    topicsOf(facts).some((each) => each === topic) ||
    listTopicsOf(facts).some((each) => each === topic)
