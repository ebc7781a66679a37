import { passesPreset } from '../../domain/pairing/pairs.ts'
import type { MarketPair } from '../../domain/pairing/pairs.ts'
import { PAIRING_PRESETS } from '../../domain/pairing/params.ts'
import type { PairingPreset } from '../../domain/pairing/params.ts'
import type { Millis } from '../../domain/units.ts'
import type { ContextStore, JudgementRow } from '../../history/context-store.ts'
import type { ContextSnapshot } from '../snapshot/context-snapshot.ts'

/** A pair since it was first served. */
export interface RecordedPair extends Pick<
  MarketPair,
  'a' | 'b' | 'confidence' | 'method' | 'inverted' | 'relation' | 'gap'
> {
  readonly since: Millis
  /** The parts of a pair that decide how it is used: presets, method and orientation. */
  readonly judged: string
}

const PRESETS = Object.keys(PAIRING_PRESETS) as PairingPreset[]

/** Confidence varies with prices, so a new row is stored only when the use of a pair changes. */
const pairUse = (pair: MarketPair): string =>
  [
    ...PRESETS.filter((preset) => passesPreset(pair, preset)),
    pair.method,
    pair.inverted ? 'inverted' : 'straight',
  ].join(' ')

const EPOCH_START = 0 as Millis

/** The newest judgement of every pair published by `at`, by id. */
export async function pairsAt(
  contextStore: Pick<ContextStore, 'judgements'>,
  at: Millis,
): Promise<Map<string, RecordedPair>> {
  const rows = await contextStore.judgements({ kind: 'pair', from: EPOCH_START, to: at })
  return new Map(rows.map(({ id, body }) => [id, JSON.parse(body) as RecordedPair]))
}

/**
 * Records each pair that any preset serves when it first appears.
 * @param pairs pairs by id before this snapshot; updated in place
 * @returns rows to store
 */
export function recordPairs(
  pairs: Map<string, RecordedPair>,
  snapshot: ContextSnapshot,
): JudgementRow[] {
  return snapshot.pairs.flatMap((pair): JudgementRow[] => {
    if (!passesPreset(pair, 'browse')) return []
    const previous = pairs.get(pair.id)
    const use = pairUse(pair)
    if (previous?.judged === use) return []
    const { a, b, confidence, method, inverted, relation, gap } = pair
    const since = previous?.since ?? snapshot.at
    const next = { a, b, confidence, method, inverted, relation, gap, since, judged: use }
    pairs.set(pair.id, next)
    return [{ kind: 'pair', id: pair.id, at: snapshot.at, body: JSON.stringify(next) }]
  })
}
