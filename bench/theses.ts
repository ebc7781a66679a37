// Theses and the forum: how well the rules form theses, and what reads, evaluations and heartbeats cost.
import type { BenchRow } from './bench-row.ts'
import { formationRows } from './formation.ts'
import { pollRow } from './theses/forum-rows.ts'
import { whatIfRow } from './theses/page-rows.ts'
import { serviceRows } from './theses/service-rows.ts'

export const benchTheses = async (): Promise<BenchRow[]> => [
  ...formationRows(),
  whatIfRow(),
  await pollRow(),
  ...(await serviceRows()),
]
