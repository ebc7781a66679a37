import { t } from 'elysia'
import { Cents, Iso, nullable, Num, words } from './schemas.ts'

/** What a thesis says of a market, against its price (methodology E1, E2). */
export const ThesisEdge = t.Object({
  thesisTitle: t.String(),
  thesisSlug: nullable(t.String()),
  thesisPrice: t.Number(),
  edge: t.Number(),
  executableEdge: Num,
  direction: words(['yes', 'no']),
  firstDetectedAt: Iso,
  firstDetectedPrice: Cents,
})
