import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { newHeartbeat } from '../../backend/domain/theses/heartbeat.ts'
import { storedThesis, type Evaluation, type Thesis } from '../../backend/domain/theses/thesis.ts'
import type { TreeNode } from '../../backend/domain/theses/tree.ts'
import { MINUTE, roundTo, type Millis } from '../../backend/domain/units.ts'

export const CONDITIONS = 12
const EVALUATIONS = 30
const RUN_EVERY = 240 * MINUTE

const nodeOf = (formed: TreeNode, n: number): TreeNode => ({
  ...formed,
  id: `n${n + 1}`,
  label: `${formed.label}, part ${n + 1}`,
  probability: roundTo(0.3 + n / 40, 4),
  importance: roundTo(1 / CONDITIONS, 4),
  tickers: [tickerOf(n)],
})
export const tickerOf = (n: number): string => `KXBENCH-26DEC31-${n}`

/** A formed thesis with twelve conditions, each with an edge in a market of its own. */
function thesisFrom(formed: Thesis, n: number): Thesis {
  const { tree } = formed
  const [node] = tree?.nodes ?? []
  const [edge] = formed.edges
  if (tree === null || node === undefined || edge === undefined) throw new Error('not formed')
  const rawThesis = `${formed.rawThesis}, case ${n}`
  return {
    ...formed,
    id: randomUUID(),
    title: rawThesis,
    rawThesis,
    tree: { ...tree, nodes: Array.from({ length: CONDITIONS }, (_, part) => nodeOf(node, part)) },
    edges: Array.from({ length: CONDITIONS }, (_, part) => ({
      ...edge,
      ticker: tickerOf(part),
      relatedNodeId: `n${part + 1}`,
      thesisPrice: 55 + part,
    })),
    updatedAt: (formed.updatedAt - n) as Millis,
  }
}

/**
 * Adds theses beside a formed one, each with 30 evaluations and a heartbeat; their runs are spread over
 * its interval.
 */
export function addTheses(database: DatabaseSync, count: number, now: Millis): string[] {
  const select = (table: string): { record: string } =>
    database.prepare(`SELECT record FROM ${table} LIMIT 1`).get() as { record: string }
  const formed = storedThesis(select('thesis').record)
  const evaluation = JSON.parse(select('thesis_evaluation').record) as Evaluation
  const thesisRow = database.prepare(
    'INSERT INTO thesis (id, user_id, status, slug, record, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const evaluationRow = database.prepare(
    'INSERT INTO thesis_evaluation (id, thesis_id, record, evaluated_at) VALUES (?, ?, ?, ?)',
  )
  const heartbeatRow = database.prepare(
    'INSERT INTO thesis_heartbeat (thesis_id, record, next_run_at) VALUES (?, ?, ?)',
  )
  const ids: string[] = []
  database.exec('BEGIN')
  for (let n = 0; n < count; n += 1) {
    const thesis = thesisFrom(formed, n)
    const { id, userId, status, slug, createdAt, updatedAt } = thesis
    ids.push(id)
    thesisRow.run(id, userId, status, slug, JSON.stringify(thesis), createdAt, updatedAt)
    for (let before = 0; before < EVALUATIONS; before += 1) {
      const row = {
        ...evaluation,
        id: `ev_${n}_${before}`,
        thesisId: id,
        evaluatedAt: formed.updatedAt - before,
        nodeProbabilities: Object.fromEntries(
          (thesis.tree?.nodes ?? []).map((node) => [node.id, node.probability]),
        ),
      }
      evaluationRow.run(row.id, id, JSON.stringify(row), row.evaluatedAt)
    }
    const nextRunAt = now + Math.floor((RUN_EVERY * (n + 1)) / count)
    heartbeatRow.run(id, JSON.stringify(newHeartbeat(id)), nextRunAt)
  }
  database.exec('COMMIT')
  return ids
}
