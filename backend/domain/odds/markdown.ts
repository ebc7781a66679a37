import { roundTo } from '../units.ts'
import type { Millis } from '../units.ts'
import { centsText, minuteOf, signedText, UNKNOWN } from '../world/markdown/text.ts'

/** One line of the table of odds. */
export interface OddsLine {
  readonly slug: string
  readonly category: string
  /** Leading outcome; null for a yes-or-no question. */
  readonly leader: string | null
  /** Note on prices of outcomes that do not add up. */
  readonly note: string | null
  /** Cents. */
  readonly price: number | null
  readonly delta24h: number | null
  readonly volume24hUsd: number | null
}

const SUFFIXES = [
  [1e9, 'b'],
  [1e6, 'm'],
  [1e3, 'k'],
] as const

/** Abbreviated dollars: "$184k", "$1.2m", "$640"; a dash when unknown. */
export function shortDollars(usd: number | null): string {
  if (usd === null) return UNKNOWN
  for (const [unit, suffix] of SUFFIXES) {
    if (usd < unit) continue
    const count = usd / unit
    return `$${roundTo(count, count < 10 ? 1 : 0)}${suffix}`
  }
  return `$${roundTo(usd, 0)}`
}

/** Text for a table cell: one line, with the cell separator escaped. */
const cellText = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\|]/g, '\\$&').trim()

function rowOf({ slug, leader, note, price, delta24h, volume24hUsd }: OddsLine): string {
  const remarks = [
    ...(leader === null ? [] : [`leader: ${cellText(leader)}`]),
    ...(note === null ? [] : [note]),
  ]
  const name = remarks.length === 0 ? slug : `${slug} (${remarks.join('; ')})`
  const change = delta24h === null ? UNKNOWN : `${signedText(delta24h, 2)}¢`
  return `| ${name} | ${centsText(price)} | ${change} | ${shortDollars(volume24hUsd)} |`
}

/**
 * Odds as markdown: a line of counts, then one table per category, categories by dollars traded.
 * @param lines to show, in order; categories are sorted by their sums
 * @param total number of questions
 */
export function oddsMarkdown(at: Millis, lines: readonly OddsLine[], total: number): string {
  const tables = [...Map.groupBy(lines, ({ category }) => category)]
    .map(([category, rows]) => ({
      category,
      rows,
      volume: rows.reduce((sum, { volume24hUsd }) => sum + (volume24hUsd ?? 0), 0),
    }))
    .sort((a, b) => b.volume - a.volume || (a.category < b.category ? -1 : 1))
  const parts = [
    `# Odds (${minuteOf(at)} UTC)`,
    `${total} slugs · liquidity-weighted · prices in cents`,
    ...tables.map(({ category, rows }) =>
      [
        `\n## ${category}`,
        '| slug | odds | 24h | vol24h |',
        '|---|---:|---:|---:|',
        ...rows.map(rowOf),
      ].join('\n'),
    ),
  ]
  const hiddenCount = total - lines.length
  if (hiddenCount > 0) parts.push(`\n… ${hiddenCount} more, use category=`)
  return `${parts.join('\n')}\n`
}
