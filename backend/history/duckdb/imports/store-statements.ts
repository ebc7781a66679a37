import type { Millis } from '../../../domain/units.ts'
import type { ChangeRow } from '../../change-events.ts'
import type { CoverageRow } from '../../coverage.ts'
import type { ImportStep, StatedRows } from '../../history-copies.ts'
import type { TradeCorrection } from '../../market-rows.ts'
import type { BatchAppender } from '../ticks/append.ts'
import { readTexts } from '../engine/columns.ts'
import type { ReadPool, Session } from '../engine/connections.ts'
import { correctionsKnown } from '../ticks/corrections.ts'
import { statementsKnown } from '../coverage/coverage.ts'
import { notingStep } from './import-steps.ts'

const KNOWN_CHANGES = 'select id from change_event where id in (select unnest($ids))'

/** Appends the statements of another history that are not stored yet; see the port. */
export async function storeStatements(
  pool: ReadPool,
  appender: BatchAppender,
  { changes = [], coverage = [], corrections = [] }: StatedRows,
  step?: ImportStep,
): Promise<{ taken: number; known: number }> {
  const newStatements = await pool.with(async (session) => ({
    changes: newRows(changes, ({ id }) => id, await knownIds(session, changes)),
    coverage: newRows(coverage, keyOfStatement, await knownStatements(session, coverage)),
    corrections: newRows(
      corrections,
      keyOfCorrection,
      await knownCorrections(session, corrections),
    ),
  }))
  const count = (rows: StatedRows): number =>
    (rows.changes?.length ?? 0) + (rows.coverage?.length ?? 0) + (rows.corrections?.length ?? 0)
  const addedCount = count(newStatements)
  const adoptionCounts = {
    taken: addedCount,
    known: count({ changes, coverage, corrections }) - addedCount,
  }
  if (addedCount > 0) await appender.append(newStatements, notingStep(step, adoptionCounts))
  return adoptionCounts
}

/** Rows whose key is neither stored nor that of an earlier row; adds their keys to `stored`. */
const newRows = <R>(rows: readonly R[], keyOf: (row: R) => string, storedKeys: Set<string>): R[] =>
  rows.filter((row) => {
    const key = keyOf(row)
    return !storedKeys.has(key) && storedKeys.add(key)
  })

async function knownIds(session: Session, rows: readonly ChangeRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const chunks = await session.read(KNOWN_CHANGES, { ids: rows.map(({ id }) => id) })
  return new Set(chunks.flatMap((chunk) => readTexts(chunk, 0)).filter((id) => id !== null))
}

async function knownStatements(
  session: Session,
  rows: readonly CoverageRow[],
): Promise<Set<string>> {
  const span = knownSpan(rows)
  return new Set(span && (await statementsKnown(session, span)).map(keyOfStatement))
}

async function knownCorrections(
  session: Session,
  rows: readonly TradeCorrection[],
): Promise<Set<string>> {
  const span = knownSpan(rows)
  return new Set(span && (await correctionsKnown(session, span)).map(keyOfCorrection))
}

const keyOfStatement = (row: CoverageRow): string =>
  JSON.stringify([
    row.venue,
    row.market,
    row.feed,
    row.state,
    row.from,
    row.to,
    row.knownAt,
    row.reason,
  ])

const keyOfCorrection = ({ market, tradeId, knownAt, corrected }: TradeCorrection): string =>
  JSON.stringify([
    market,
    tradeId,
    knownAt,
    ...(corrected === null
      ? []
      : [corrected.ts, corrected.price, corrected.size, corrected.takerSide, corrected.isBlock]),
  ])

/** Null for no rows. */
function knownSpan(
  rows: readonly { readonly knownAt: Millis }[],
): { first: Millis; last: Millis } | null {
  let [first, last] = [Infinity, -Infinity]
  for (const { knownAt } of rows)
    [first, last] = [Math.min(first, knownAt), Math.max(last, knownAt)]
  return rows.length === 0 ? null : { first: first as Millis, last: last as Millis }
}
