import type { TechPage } from '../../../backend/contract/editorial.ts'
import { leadIn } from '../../../backend/domain/world/markdown/text.ts'
import { formatCents, formatDelta } from '../../lib/format.ts'

/** The plot of a market's days, in one sentence. */
export function technicalSentence({
  title,
  series,
  trend,
  levels,
}: Pick<TechPage, 'title' | 'series' | 'trend' | 'levels'>): string {
  const known = series.flatMap(({ price }) => (price === null ? [] : [price]))
  const first = known[0] ?? null
  const last = known.at(-1) ?? null
  if (first === null || last === null) return `No day of ${title} has a price`
  const way = trend === 'flat' ? 'without a trend' : `trending ${trend}`
  const lines = levels.length === 1 ? '1 level' : `${levels.length} levels`
  return `${leadIn(title)} ${formatCents(last)} after ${known.length} days, ${formatDelta(last - first)} from ${formatCents(first)}, ${way}, ${lines}`
}
