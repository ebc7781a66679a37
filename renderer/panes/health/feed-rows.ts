import { venueName } from '../../../backend/domain/venue.ts'
import type { Feed } from '../../../backend/contract/operations.ts'
import { formatAge, formatCount, MISSING } from '../../lib/format.ts'

const MODES = { stream: 'streaming', polling: 'polling', down: 'down' } as const

/** Column heads of the table of feeds. */
export const FEED_HEADS = [
  { text: 'Feed' },
  { text: 'Mode' },
  { text: 'Lag', help: 'Median delay from venue time to receipt over 15 minutes' },
  { text: 'Lag p95', help: '95th percentile of the delay' },
  { text: 'Gaps', help: 'Last seven days' },
  { text: 'Unrepaired' },
  { text: 'Errors', help: 'Failed venue requests since the start' },
  { text: 'Rejected', help: 'Unreadable rows since the start' },
] as const

/** Lags below a second are shown in milliseconds, because that is where they differ. */
const lagText = (ms: number): string => (ms < 1_000 ? `${ms} ms` : formatAge(ms))

/** Every feed as a row of texts; open gaps and silent venues are marked. */
export function feedRows(feeds: readonly Feed[]) {
  return feeds
    .filter(({ mode, lag, gaps }) => mode !== null || lag !== null || gaps.found > 0)
    .map(({ venue, feed, mode, lag, gaps, failures, refusedRows }) => ({
      id: `${venue} ${feed}`,
      cells: [
        `${venueName(venue)}, ${feed}`,
        mode === null ? 'off' : MODES[mode],
        lag === null ? MISSING : lagText(lag.medianMs),
        lag === null ? MISSING : lagText(lag.p95Ms),
        formatCount(gaps.found),
        gaps.open > 0 ? `${gaps.unrepaired}, ${gaps.open} open` : formatCount(gaps.unrepaired),
        formatCount(failures),
        formatCount(refusedRows),
      ],
      isWarning: gaps.open > 0 || mode === 'down',
    }))
}
