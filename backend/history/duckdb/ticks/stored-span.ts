import type { Millis } from '../../../domain/units.ts'
import type { StoredSpan } from '../../event-streams.ts'
import { orNull, readDoubles } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import { TICK_KINDS } from './spans.ts'

const SPAN = `
  select coalesce(min(first)::double, 'nan'), coalesce(max(last)::double, 'nan') from (
    ${TICK_KINDS.map((kind) => `select min(ts + lag) as first, max(ts + lag) as last from ${kind}_all`).join(' union all ')}
    union all select min(known_at), max(known_at) from market_version)`

/** When the first and the last stored row became known; null for an empty history. */
export async function storedSpan(session: Session): Promise<StoredSpan | null> {
  const [spanChunk] = await session.read(SPAN)
  const [first, last] = [0, 1].map((column) =>
    orNull(spanChunk === undefined ? NaN : readDoubles(spanChunk, column)[0]),
  )
  return typeof first === 'number' && typeof last === 'number'
    ? { first: first as Millis, last: last as Millis }
    : null
}
