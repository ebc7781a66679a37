import type { FeedState } from '../../api/account-types.ts'
import { formatAge, formatCount, MISSING } from '../../lib/format.ts'

const NAMES = {
  ...{ venue_a: 'Venue A', venue_b: 'Venue B' },
  ...{ trades: 'trades', quotes: 'quotes' },
} as const
const MODES = { stream: 'streamed', polling: 'asked', down: 'down' } as const

/** Column heads of the table of feeds. */
export const FEED_HEADS = [
  { text: 'Feed' },
  { text: 'Heard' },
  { text: 'Lag', help: 'From the venue’s time to ours: half of the rows of a quarter of an hour' },
  { text: 'Lag p95', help: 'Of a hundred rows 95 took no longer' },
  { text: 'Gaps', help: 'Of the last seven days' },
  { text: 'Not filled' },
  { text: 'Errors', help: 'Requests to the venue that failed, since the start' },
  { text: 'Refused', help: 'Rows that could not be read, since the start' },
] as const

/** Lags are told in milliseconds below a second: that is where they differ. */
const lagText = (ms: number): string => (ms < 1_000 ? `${ms} ms` : formatAge(ms))

/** Every feed as a row of texts; a gap that lasts, and a venue that is not heard, are marked. */
export function feedRows(feeds: readonly FeedState[]) {
  return feeds
    .filter(({ mode, lag, gaps }) => mode !== null || lag !== null || gaps.found > 0)
    .map(({ venue, feed, mode, lag, gaps, failures, refusedRows }) => ({
      id: `${venue} ${feed}`,
      cells: [
        `${NAMES[venue]}, ${NAMES[feed]}`,
        mode === null ? 'not now' : MODES[mode],
        lag === null ? MISSING : lagText(lag.medianMs),
        lag === null ? MISSING : lagText(lag.p95Ms),
        formatCount(gaps.found),
        gaps.open > 0 ? `${gaps.standing}, ${gaps.open} open` : formatCount(gaps.standing),
        formatCount(failures),
        formatCount(refusedRows),
      ],
      warns: gaps.open > 0 || mode === 'down',
    }))
}
