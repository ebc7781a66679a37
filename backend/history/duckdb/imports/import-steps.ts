import type { ImportStep, StoredStep } from '../../history-copies.ts'
import { readTexts } from '../engine/columns.ts'
import type { Session, Writer } from '../engine/connections.ts'

/** Records the result of an import step, in the transaction that stores its rows. */
export async function noteStep(
  session: Session,
  { importId, key }: ImportStep,
  result: unknown,
): Promise<void> {
  await session.change('insert into import_step values ($importId, $key, $result)', {
    importId,
    key,
    result: JSON.stringify(result),
  })
}

/** Records a step beside the rows of a batch. */
export const notingStep =
  (step: ImportStep | undefined, adoptionResult: unknown) =>
  async (session: Session): Promise<void> => {
    if (step !== undefined) await noteStep(session, step, step.result ?? adoptionResult)
  }

/** Steps of an import whose rows are stored. */
export async function stepsOf(session: Session, importId: string): Promise<StoredStep[]> {
  const chunks = await session.read(
    'select key, result from import_step where import_id = $importId order by key',
    { importId },
  )
  return chunks.flatMap((chunk) => {
    const results = readTexts(chunk, 1)
    return readTexts(chunk, 0).map((key, row): StoredStep => ({
      key: key ?? '',
      result: JSON.parse(results[row] ?? 'null') as unknown,
    }))
  })
}

/** Deletes the steps of every other import, whose reports are stored. */
export const deleteSteps = (writer: Writer, importId: string): Promise<unknown> =>
  writer.transaction((session) =>
    session.change('delete from import_step where import_id <> $importId', { importId }),
  )
