import { extname, join } from 'node:path'
import { WIDTHS } from '../../domain/prices/candle.ts'
import { canonicalTicker, type MarketFacts, type Venue } from '../../domain/market.ts'
import { listTopicsOf, topicsOf } from '../../domain/topics/topics.ts'
import type { Millis } from '../../domain/units.ts'
import type { BackupTable, CopyFormat } from '../../history/history-copies.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import { parseInstant } from '../../contract/params.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { TargetOf } from './export-targets.ts'
import { EXPORT_FORMATS } from '../../contract/archive.ts'
import type { StartExport } from '../../contract/archive.ts'

/** One file of an export. */
export interface ExportPart {
  readonly kind: BackupTable
  /** Target path. */
  readonly path: string
  /** Skipped if it would have no rows. */
  readonly isOptional: boolean
}

/** A validated export with resolved paths. */
export interface ExportPlan {
  /** The path as requested; it is resolved again before files are moved there. */
  readonly out: string
  readonly target: string
  readonly parts: readonly ExportPart[]
  readonly markets: readonly MarketId[] | null
  readonly venue: Venue | null
  readonly from: Millis
  /** Null: up to the time the export runs. */
  readonly to: Millis | null
  readonly format: CopyFormat
  /** Bar width; null for rows that are stored. */
  readonly width: Millis | null
  readonly force: boolean
}

/** Kinds by their requested names, in the order of writing. */
const KINDS = {
  trades: 'trades',
  quotes: 'quotes',
  book: 'books',
  candles: 'candles',
  snapshots: 'activity',
} as const satisfies Record<NonNullable<StartExport['kind']>, BackupTable>

type KindName = keyof typeof KINDS

/** Further kinds of a full export; an import needs them to reproduce the same answers. */
const STATEMENT_KINDS = ['changes', 'coverage', 'corrections'] as const satisfies BackupTable[]

/**
 * Plans an export. With one kind and an `out` that ends in a format's extension it is one file,
 * with the facts of its markets beside it; otherwise files are written to a folder. Without a kind
 * everything known about the markets is written.
 * @throws InvalidInput
 */
export async function planExport(
  body: StartExport,
  deps: { history: HistoryStore; targetOf: TargetOf; now: Millis },
): Promise<ExportPlan> {
  const { out, kind, format, tf, venue = null, force = false } = body
  if (tf !== undefined && kind !== 'candles') throw new InvalidInput('tf requires kind candles')
  const from = instantOf('from', body.from) ?? (0 as Millis)
  const to = instantOf('to', body.to)
  if (to !== null && from >= to) throw new InvalidInput('from must be before to')
  const extension = EXPORT_FORMATS.find(
    (candidate) => extname(out).toLowerCase() === `.${candidate}`,
  )
  if (extension !== undefined && extension !== format) {
    throw new InvalidInput(`format is ${format}, but out ends in .${extension}`)
  }
  if (extension !== undefined && kind === undefined) {
    throw new InvalidInput('out must be a folder when no kind is given')
  }
  const target = await deps.targetOf(out)
  const nameOf = (name: string): string => join(target, `${name}.${format}`)
  const kinds: readonly KindName[] =
    kind === undefined ? (Object.keys(KINDS) as KindName[]) : [kind]
  const facts = extension === undefined ? nameOf('markets') : factsPathOf(target, extension)
  return {
    out,
    target,
    venue,
    from,
    to,
    format,
    force,
    parts: [
      { kind: 'facts', path: facts, isOptional: true },
      ...kinds.map((exportKind) => ({
        kind: tf === undefined ? KINDS[exportKind] : ('bars' as const),
        path: extension === undefined ? nameOf(exportKind) : target,
        isOptional: kind === undefined,
      })),
      ...(kind === undefined ? STATEMENT_KINDS : []).map((statementKind) => ({
        kind: statementKind,
        path: nameOf(statementKind),
        isOptional: true,
      })),
    ],
    markets: await marketsOf(body, deps),
    width: tf === undefined ? null : WIDTHS[tf],
  }
}

/** `day.markets.csv` for `day.csv`. */
const factsPathOf = (path: string, extension: string): string =>
  `${path.slice(0, -extension.length - 1)}.markets.${extension}`

function instantOf(name: string, text: string | undefined): Millis | null {
  if (text === undefined) return null
  const at = parseInstant(text)
  if (at === null) throw new InvalidInput(`${name} must be an ISO 8601 time`)
  return at
}

/** The named markets or those of the topic; null for all. */
async function marketsOf(
  { markets: tickers, topic }: StartExport,
  { history, now }: { history: HistoryStore; now: Millis },
): Promise<readonly MarketId[] | null> {
  const requestedMarkets =
    tickers?.map((text) => {
      const marketId = history.marketIdOf(canonicalTicker(text))
      if (marketId === null) throw new InvalidInput(`markets contains an unknown ticker: ${text}`)
      return marketId.market
    }) ?? null
  if (topic === undefined) return requestedMarkets
  const isRequested = isInTopic(topic.toLowerCase())
  const records = await history.recordsAt(now, requestedMarkets)
  const marketIds = records.filter(({ facts }) => isRequested(facts)).map(({ market }) => market)
  if (marketIds.length === 0) throw new InvalidInput(`topic has no markets: ${topic}`)
  return marketIds
}

/** The same topic filter as market lists. */
const isInTopic =
  (topic: string) =>
  (facts: MarketFacts): boolean =>
    topicsOf(facts).some((candidate) => candidate === topic) ||
    listTopicsOf(facts).some((candidate) => candidate === topic)
