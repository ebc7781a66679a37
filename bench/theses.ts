// Theses: how well the rules form them.
import type { BenchRow } from './bench-row.ts'
import { formationRows } from './formation.ts'

export const benchTheses = (): Promise<BenchRow[]> => Promise.resolve(formationRows())
