import type { Millis } from '../../../domain/units.ts'
import type { ChangeRow, ChangesQuery } from '../../change-events.ts'
import type { ChangeType } from '../../../domain/changes/change-type.ts'
import { orNull, readDoubles, readIntegers, readTexts } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'

/** SQL of the query for the filters in use; values are always bound. */
const changesSql = (byType: boolean, byMarket: boolean, after: boolean): string => `
  select id, market, type, happened_at::double,
         coalesce(before_number, 'nan'), before_text, coalesce(after_number, 'nan'), after_text,
         coalesce(delta, 'nan')
    from change_event
   where happened_at > $since and happened_at <= $asOf and coalesce(known_at, 0) <= $asOf
     ${byType ? 'and type in (select unnest($types))' : ''}
     ${byMarket ? 'and market in (select unnest($markets))' : ''}
     ${after ? 'and (happened_at < $afterAt or (happened_at = $afterAt and id > $afterId))' : ''}
   order by happened_at desc, id limit $limit`

/** Change events, newest first; events of one instant by id. */
export async function changesOf(session: Session, query: ChangesQuery): Promise<ChangeRow[]> {
  const { since, asOf, types, markets, after, limit } = query
  if (types?.length === 0 || markets?.length === 0) return []
  const chunks = await session.read(changesSql(types !== null, markets !== null, after !== null), {
    since,
    asOf,
    limit,
    ...(types === null ? {} : { types }),
    ...(markets === null ? {} : { markets }),
    ...(after === null ? {} : { afterAt: after.at, afterId: after.id }),
  })
  const rows: ChangeRow[] = []
  for (const chunk of chunks) {
    const [id, type] = [readTexts(chunk, 0), readTexts(chunk, 2)]
    const market = readIntegers(chunk, 1)
    const [at, before, after] = [
      readDoubles(chunk, 3),
      readDoubles(chunk, 4),
      readDoubles(chunk, 6),
    ]
    const [beforeText, afterText] = [readTexts(chunk, 5), readTexts(chunk, 7)]
    const delta = readDoubles(chunk, 8)
    for (let i = 0; i < chunk.rowCount; i++) {
      rows.push({
        id: id[i] ?? '',
        market: market[i] ?? -1,
        type: type[i] as ChangeType,
        at: at[i] as Millis,
        before: beforeText[i] ?? orNull(before[i]),
        after: afterText[i] ?? orNull(after[i]),
        delta: orNull(delta[i]),
      })
    }
  }
  return rows
}
