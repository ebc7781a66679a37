import type { BacktestRun } from '../../../backend/contract/backtests.ts'
import type { JobState } from '../../../backend/domain/job-state.ts'
import { formatNumber, formatUsd, MISSING } from '../../lib/format.ts'

export const isUnfinished = (state: JobState): boolean => state === 'queued' || state === 'running'

/** The state of a run; its progress while it is running. */
export const stateLabel = ({ state, progress }: Pick<BacktestRun, 'state' | 'progress'>): string =>
  state === 'running' ? `${Math.floor(progress * 100)}%` : state

/** Dollars with their sign: `+$12.07`, `−$47.06`. */
export const formatGain = (dollars: number | null | undefined): string =>
  dollars === null || dollars === undefined
    ? MISSING
    : `${Math.round(dollars * 100) > 0 ? '+' : ''}${formatUsd(dollars)}`

/** A share of one as percent. */
export const formatShare = (share: number | null | undefined, places?: number): string =>
  share === null || share === undefined ? MISSING : `${percentText(share, places)}%`

/** Two decimals below one percent, because one would round to nothing. */
export const percentText = (share: number, places = Math.abs(share) < 0.01 ? 2 : 1): string =>
  formatNumber(share * 100, places)

/** A range as days; the year appears once when both ends share it. */
export function daysLabel(from: number, to: number): string {
  const [first, last] = [from, to].map((at) => new Date(at).toISOString().slice(0, 10)) as [
    string,
    string,
  ]
  return `${first} to ${last.slice(0, 4) === first.slice(0, 4) ? last.slice(5) : last}`
}

/** An instant in UTC, without its time when that is midnight. */
export function dayLabel(at: number): string {
  const text = new Date(at).toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
}
export const rangeLabel = (from: number, to: number): string =>
  `${dayLabel(from)} to ${dayLabel(to)} UTC`

/** A note of a report as a sentence: capitalised, with a full stop. */
export function sentence(text: string): string {
  const description = text.trim().replace(/\.$/, '')
  return `${description.charAt(0).toUpperCase()}${description.slice(1)}.`
}
