import { t } from 'elysia'
import type { Static } from 'elysia'
import { linkFields, quotedFields, SampleMark } from './market-ref.ts'
import { Iso, nullable, Num, words } from './schemas.ts'

export const PAIR_STATUSES = ['active', 'closed'] as const
export type PairStatus = (typeof PAIR_STATUSES)[number]

export const PairLeg = t.Object({
  ...linkFields,
  ...quotedFields,
  volume24h: Num,
  closeTime: nullable(Iso),
  sample: SampleMark,
})
export type PairLeg = Static<typeof PairLeg>

/** One question on both venues (methodology D7). */
export const Pair = t.Object({
  id: t.String(),
  confidence: t.Number(),
  method: words(['exact', 'text', 'reviewed']),
  inverted: t.Boolean({ description: 'one answers the opposite of the other' }),
  gap: nullable(t.Number({ description: 'a less the aligned b, cents on the YES scale' })),
  executableGap: nullable(
    t.Number({ description: 'what trading both leaves at 100 contracts after fees, cents' }),
  ),
  closeDeltaDays: Num,
  a: PairLeg,
  b: PairLeg,
  status: words(PAIR_STATUSES),
  matchedAt: Iso,
})
export type Pair = Static<typeof Pair>
