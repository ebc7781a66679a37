import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Files that a service creates only after both of its stores exist. */
const CREATED_LATER = ['secrets/session.jwk', 'parquet/days.jsonl']

/** Whether a service ran on the folder before, so that a missing store is a lost one. */
export const wasUsed = (dataDir: string): boolean =>
  CREATED_LATER.some((name) => existsSync(join(dataDir, name)))
