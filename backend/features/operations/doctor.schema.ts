import { t, type Static } from 'elysia'
import { COVERAGE_FEEDS } from '../../history/coverage.ts'
import { VenueWord } from '../../http/market-ref.ts'
import { nullable, words } from '../../http/schemas.ts'

const Feed = t.Object({
  venue: VenueWord,
  feed: words(COVERAGE_FEEDS),
  /** How the venue is heard now; null where nothing listens to it. */
  mode: nullable(words(['stream', 'polling', 'down'] as const)),
  lag: nullable(
    t.Object(
      {
        medianMs: t.Integer(),
        p95Ms: t.Integer(),
        rows: t.Integer({ description: 'rows of the last quarter of an hour' }),
      },
      { description: 'from the time that the venue states to the time it was known here' },
    ),
  ),
  gaps: t.Object(
    { found: t.Integer(), standing: t.Integer(), open: t.Integer() },
    { description: 'of the last seven days: all, those that were not filled, those that last' },
  ),
  requests: nullable(t.Integer({ description: 'to the venue, since the start' })),
  failures: nullable(t.Integer({ description: 'those of them that failed' })),
  refusedRows: nullable(t.Integer({ description: 'rows that could not be read, since the start' })),
})
export type Feed = Static<typeof Feed>

export const Doctor = t.Object({
  ok: t.Boolean(),
  checks: t.Array(
    t.Object({
      name: t.String(),
      state: words(['ok', 'warn', 'fail'] as const),
      detail: t.String(),
      fix: nullable(t.String({ description: 'what to do' })),
    }),
  ),
  providers: t.Array(t.Object({ name: t.String(), configured: t.Boolean() }), {
    description: 'access to outside providers',
  }),
  feeds: t.Array(Feed),
  folder: t.Object(
    { path: t.String(), bytes: t.Integer({ description: 'all files in it together' }) },
    { description: 'the data folder' },
  ),
})
export type Doctor = Static<typeof Doctor>
