import type { Venue } from '../../../backend/domain/market.ts'

/** One fault, as configured in the simulator, and its expected effect. */
export interface FaultCase {
  readonly name: string
  readonly venue: Venue
  /** Steps of a script, without their venue. */
  readonly steps: readonly object[]
  /** Simulated milliseconds in which the script runs. */
  readonly span: number
  /** Rows that the script corrupts must each be counted as rejected. */
  readonly refusesRows?: boolean
  /** The venue's clock is ahead for a time. */
  readonly isAhead?: boolean
}

const MINUTE = 60_000
const caseOf = (
  venue: Venue,
  name: string,
  steps: readonly object[],
  more: Partial<FaultCase> = {},
): FaultCase => ({
  name: `${venue} ${name}`,
  venue,
  steps,
  span: MINUTE,
  ...more,
})

/**
 * Faults of an HTTP host: each must pass without loss, because corrupted responses can be requested
 * again.
 */
const requestCases = (venue: Venue): FaultCase[] => {
  const trades = { route: 'trades' }
  const paged = { kind: 'short-pages', forMs: 2 * MINUTE }
  return [
    caseOf(venue, '429 storm', [{ kind: 'status', status: 429, forMs: 70_000 }]),
    caseOf(venue, '429 with Retry-After in seconds', [
      { kind: 'status', status: 429, retryAfter: 5, count: 3 },
    ]),
    caseOf(venue, '503 with Retry-After as a date', [
      { kind: 'status', status: 503, retryAfter: 5, retryAsDate: true, count: 3 },
    ]),
    ...[500, 502, 504].map((status) =>
      caseOf(venue, `${status} storm`, [{ kind: 'status', status, forMs: 45_000 }]),
    ),
    caseOf(venue, 'challenge page', [{ kind: 'html', status: 403, count: 5 }]),
    caseOf(venue, 'page in place of JSON', [{ kind: 'html', status: 200, count: 5 }]),
    caseOf(venue, 'slow answers', [{ kind: 'delay', milliseconds: 3_000, forMs: 45_000 }]),
    caseOf(venue, 'one byte a second', [{ kind: 'slow-body', count: 3 }], { span: 2 * MINUTE }),
    caseOf(venue, 'no answer', [{ kind: 'hang', count: 3 }], { span: 2 * MINUTE }),
    caseOf(venue, 'cut connections', [{ kind: 'reset', count: 8 }]),
    caseOf(venue, 'cut bodies', [{ kind: 'truncate', count: 8 }]),
    caseOf(venue, 'cut gzip', [{ kind: 'truncated-gzip', count: 8 }]),
    caseOf(venue, 'malformed JSON', [{ kind: 'malformed-json', count: 8 }]),
    caseOf(venue, 'wrong types', [{ kind: 'wrong-types', count: 64 }], { span: 2 * MINUTE }),
    caseOf(
      venue,
      'trades without a size that is one',
      [
        // Trades are requested from venue_a after its stream was cut.
        ...(venue === 'venue_a' ? [{ kind: 'drop' }] : []),
        {
          kind: 'wrong-types',
          count: 4,
          width: 2,
          becomes: 'nan-text',
          ...trades,
          field: venue === 'venue_a' ? 'count_fp' : 'size',
        },
      ],
      { refusesRows: true },
    ),
    caseOf(venue, 'keys twice', [{ kind: 'duplicate-keys', count: 8 }]),
    caseOf(venue, 'byte order mark', [{ kind: 'bom', count: 8 }]),
    caseOf(venue, 'body of 64 MB', [{ kind: 'oversized', count: 1, bytes: 64_000_000 }]),
    caseOf(venue, 'cursor that repeats', [paged, { kind: 'repeated-cursor', count: 2 }]),
    caseOf(venue, 'set that moves while paged', [paged, { kind: 'shifting-pages', count: 8 }]),
    caseOf(venue, 'times in another zone', [{ kind: 'zoned-times', forMs: 30_000 }]),
  ]
}

/**
 * Faults of a socket: losses must be recorded as gaps, and repaired as far as REST has the data.
 */
const socketCases = (venue: Venue): FaultCase[] => [
  caseOf(venue, 'lost messages', [{ kind: 'gap', count: 5 }]),
  caseOf(venue, 'lost trades', [{ kind: 'gap', count: 3, about: ['trade'] }], { span: 2 * MINUTE }),
  caseOf(venue, 'nothing for ten seconds', [{ kind: 'gap', forMs: 10_000 }]),
  caseOf(venue, 'frozen for two minutes', [{ kind: 'freeze', forMs: 2 * MINUTE }], {
    span: 3 * MINUTE,
  }),
  caseOf(venue, 'cut', [{ kind: 'drop', count: 2 }]),
  caseOf(venue, 'cut and refused', [{ kind: 'drop' }, { kind: 'refuse', forMs: 20_000 }]),
  caseOf(venue, 'storm of reconnects', [
    { kind: 'reconnect-storm', milliseconds: 1_000, forMs: 15_000 },
  ]),
  caseOf(venue, 'sent twice', [{ kind: 'duplicate', count: 50 }]),
  caseOf(venue, 'out of order', [{ kind: 'reorder', count: 5, width: 4 }]),
  caseOf(venue, 'ever later', [{ kind: 'lag', growth: 0.3, forMs: 20_000 }]),
  caseOf(venue, 'malformed frames', [{ kind: 'malformed-frame', count: 3 }]),
  caseOf(venue, 'binary frames', [{ kind: 'binary-frame', count: 3 }]),
  caseOf(venue, 'frame of 20 MB', [{ kind: 'oversized-frame', count: 1 }]),
  caseOf(venue, 'crossed books', [{ kind: 'crossed-book', count: 3 }]),
  caseOf(venue, 'market listed in silence', [
    { kind: 'silent-lifecycle', forMs: MINUTE },
    { kind: 'relist', at: 10_000 },
  ]),
]

/** Unscheduled events at a venue. */
const lifeCases = (venue: Venue): FaultCase[] => [
  caseOf(venue, 'trades that come late', [{ kind: 'late-trade', count: 3, milliseconds: MINUTE }], {
    span: 3 * MINUTE,
  }),
  caseOf(venue, 'market that closes early', [{ kind: 'close-early' }]),
  caseOf(venue, 'market that opens again', [
    { kind: 'close-early' },
    { kind: 'reopen', at: 30_000 },
  ]),
  caseOf(venue, 'market that vanishes and comes back', [{ kind: 'delist', forMs: 30_000 }]),
  caseOf(venue, 'market listed again', [{ kind: 'relist' }]),
  caseOf(venue, 'pause of the venue', [{ kind: 'pause', forMs: 30_000 }]),
  caseOf(venue, 'clock ahead', [{ kind: 'clock-skew', milliseconds: 30_000, forMs: 30_000 }], {
    isAhead: true,
  }),
]

/** Every scripted fault of both venues. Those that close the busiest markets come last. */
export const FAULT_CASES: readonly FaultCase[] = [
  ...requestCases('venue_a'),
  ...socketCases('venue_a'),
  caseOf('venue_a', 'first trade of a connection lost', [
    { kind: 'drop' },
    { kind: 'gap', at: 2_000, about: ['trade'] },
  ]),
  caseOf('venue_a', 'corrected trades', [{ kind: 'correct-trade', count: 2 }]),
  caseOf('venue_a', 'buffer overflow, error 25', [{ kind: 'error-frame', count: 2 }]),
  ...lifeCases('venue_a'),
  ...requestCases('venue_b'),
  ...socketCases('venue_b'),
  caseOf('venue_b', 'cursor that is missing', [
    { kind: 'short-pages', forMs: 2 * MINUTE },
    { kind: 'lost-cursor', count: 2 },
  ]),
  caseOf('venue_b', 'wrong hashes', [{ kind: 'wrong-hash', count: 5 }]),
  ...lifeCases('venue_b'),
]
