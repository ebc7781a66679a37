import { PAIRING_PRESETS } from '../../backend/domain/pairing/params.ts'
import type { SampleMoment } from './sample-world.ts'
import { scoreOf, type Score } from './score.ts'

/** Pairs that the engine would trade, against the questions listed on both venues under one set of rules. */
export function scorePairs({ at, worldSnapshot, truth }: SampleMoment): Score {
  const { pairs } = worldSnapshot.snapshot
  const found = pairs.filter(({ confidence }) => confidence >= PAIRING_PRESETS.arb.confidence)
  const twins = truth.twins(at).map(({ a, b }) => `${a.id}~${b.id}`)
  return scoreOf(new Set(found.map(({ id }) => id)), new Set(twins))
}
