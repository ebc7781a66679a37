/**
 * Opens the operational rows of the working folder, writes rows and closes them, repeatedly until
 * it is killed. Prints the number of each row once it is acknowledged.
 */
import { writeSync } from 'node:fs'
import { systemClock } from '../../backend/lib/clock.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import { openDurableState } from '../../backend/state/durable-state.ts'
import { importRow, lastImport } from './killed-rows.ts'

/** Opening and closing run a checkpoint, which a kill should hit as often as a write. */
const ROWS_A_ROUND = 12

for (;;) {
  const operational = await openDurableState('state.sqlite', {
    now: () => systemClock.now(),
    logger: silentLogger,
  })
  const { state, damage } = operational
  if (damage !== null) throw new Error(damage.summary)
  const first = (await lastImport(state)) + 1
  for (let row = first; row < first + ROWS_A_ROUND; row++) {
    await state.insertInto('import_run').values(importRow(row)).execute()
    writeSync(1, `${row}\n`)
  }
  await operational.close()
}
