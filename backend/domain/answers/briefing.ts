import type { Millis } from '../units.ts'
import { minuteOf } from '../world/markdown/text.ts'

/** Sections of a briefing in order. */
export const BRIEFING_SECTIONS = {
  gauges: 'Gauges',
  movers: 'Movers',
  resolved: 'Resolved',
  upcoming: 'Upcoming',
  contagion: 'Contagion',
  edges: 'Edges',
  legislation: 'Legislation',
  traditional: 'Traditional markets',
} as const
export type BriefingSection = keyof typeof BRIEFING_SECTIONS

/** Maximum rows per section (methodology I3). */
export const BRIEFING_ROWS: Readonly<Record<BriefingSection, number>> = {
  gauges: 1,
  movers: 5,
  resolved: 10,
  upcoming: 5,
  contagion: 3,
  edges: 3,
  legislation: 3,
  traditional: 5,
}

/** A briefing as markdown: heading, summary, one bullet per line of each section with its link. */
export const briefingMarkdown = (briefing: {
  readonly label: string
  readonly window: string
  readonly to: Millis
  readonly summary: string
  readonly sections: readonly {
    readonly title: string
    readonly lines: readonly string[]
    /** Address of each line's fact. */
    readonly links: readonly string[]
  }[]
}): string =>
  [
    `# Briefing: ${briefing.label}, ${briefing.window} to ${minuteOf(briefing.to)} UTC`,
    briefing.summary,
    ...briefing.sections.flatMap(({ title, lines, links }) => [
      '',
      `## ${title}`,
      ...lines.map((line, i) => `- ${line} · ${links[i] ?? ''}`),
    ]),
    '',
  ].join('\n')

/**
 * Distance of the winning side from certainty a day before, cents: a YES priced 30 gives 70. Null
 * without a price or a winner.
 */
export const surpriseOf = (result: string | null, priceDayBefore: number | null): number | null => {
  if (priceDayBefore === null) return null
  if (result === 'yes') return 100 - priceDayBefore
  return result === 'no' ? priceDayBefore : null
}
