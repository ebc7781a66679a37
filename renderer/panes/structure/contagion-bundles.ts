import type { ContagionLink, GapRecord } from '../../../backend/contract/indices.ts'
import { formatNumber } from '../../lib/format.ts'

/** Expected moves elsewhere after one market's move. */
export interface Bundle {
  readonly trigger: ContagionLink['trigger']
  /** Widest gap first. */
  readonly links: readonly ContagionLink[]
  readonly widest: number
}

/**
 * Gaps grouped by the market that moved first, the group with the widest gap first.
 * @param ticker keeps the groups that contain this market; null keeps all
 */
export function bundlesOf(
  links: readonly ContagionLink[],
  ticker: string | null,
): readonly Bundle[] {
  const kept = links.filter(
    ({ trigger, lagging }) =>
      ticker === null || trigger.ticker === ticker || lagging.ticker === ticker,
  )
  return [...Map.groupBy(kept, ({ trigger }) => trigger.ticker).values()]
    .flatMap((group): Bundle[] => {
      const sorted = group.toSorted((left, right) => Math.abs(right.gap) - Math.abs(left.gap))
      const [first] = sorted
      return first === undefined
        ? []
        : [{ trigger: first.trigger, links: sorted, widest: Math.abs(first.gap) }]
    })
    .sort((left, right) => right.widest - left.widest)
}

export const RELATIONS: Readonly<Record<ContagionLink['relation'], string>> = {
  cross_venue: 'other venue',
  series_sibling: 'same series',
  theme: 'same theme',
  correlated: 'moves together',
}

const KINDS: Readonly<Record<string, string>> = {
  cross_venue: 'Other venue',
  same_event_exclusive: 'Same event',
  ladder: 'Ladder',
  series_sibling: 'Same series',
  thematic: 'Same theme',
  lead_lag: 'Lead-lag',
}
export const kindLabel = (kind: string): string => KINDS[kind] ?? kind

/** Track record of a kind of gap: `closed 24 h: 41 % of 212`; the longest known span. */
export function recordText({ closed, n }: GapRecord): string {
  const last = closed.at(-1)
  if (last === undefined) return `${n} reported, none followed up yet`
  return `closed ${last.hours} h: ${formatNumber(last.share * 100, 0)} % of ${last.n}`
}

/** The same in full, for hover. */
export function recordHelp({ closed, hitRate, unproven }: GapRecord): string {
  return [
    ...closed.map(
      ({ hours, share, n }) =>
        `${formatNumber(share * 100, 0)} % of the gap closed after ${hours} h, mean of ${n}`,
    ),
    hitRate === null
      ? 'none is one day old yet'
      : `${formatNumber(hitRate * 100, 0)} % were smaller after one day`,
    ...(unproven ? ['no evidence yet that gaps of this kind close'] : []),
  ].join('\n')
}
