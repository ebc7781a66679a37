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
  const prices = series.flatMap(({ price }) => (price === null ? [] : [price]))
  const first = prices[0] ?? null
  const last = prices.at(-1) ?? null
  if (first === null || last === null) return `No day of ${title} has a price`
  const trendText = trend === 'flat' ? 'without a trend' : `trending ${trend}`
  const lines = levels.length === 1 ? '1 level' : `${levels.length} levels`
  return `${leadIn(title)} ${formatCents(last)} after ${prices.length} days, ${formatDelta(last - first)} from ${formatCents(first)}, ${trendText}, ${lines}`
}

/** Levels by kind: `Support 6.4¢ (3×), 17¢ (5×). Resistance 40¢ (4×)`, each with how often it held. */
export const levelsText = (levels: TechPage['levels']): string =>
  (['support', 'resistance'] as const)
    .flatMap((kind) => {
      const texts = levels
        .filter((level) => level.kind === kind)
        .toSorted((left, right) => left.price - right.price)
        .map(({ price, touches }) => `${formatCents(price)} (${touches}×)`)
      const name = kind === 'support' ? 'Support' : 'Resistance'
      return texts.length === 0 ? [] : [`${name} ${texts.join(', ')}`]
    })
    .join('. ')
