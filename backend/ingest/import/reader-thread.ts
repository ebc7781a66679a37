import type { MessagePort } from 'node:worker_threads'
import type { FileReport } from '../../domain/import-report.ts'
import type { Ticker } from '../../domain/market.ts'
import type { NamedAsset, Adopted, ImportHost, OutcomeFate } from './import-host.ts'
import { runImport } from './run-import.ts'
import type { FromReader, Questions, ReaderStart, ToReader } from './worker-messages.ts'

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Runs one import on the far side of a port: the history is asked for by message. */
export async function readInThread(
  port: MessagePort,
  { request, settings }: ReaderStart,
): Promise<void> {
  const waiting = new Map<number, Waiting>()
  const stop = new AbortController()
  const say = (message: FromReader): void => port.postMessage(message)
  let asked = 0
  const ask = (question: keyof Questions, argument: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      asked += 1
      waiting.set(asked, { resolve, reject })
      say({ type: 'ask', id: asked, question, argument })
    })
  port.on('message', (message: ToReader) => {
    if (message.type === 'cancel') return stop.abort()
    const asker = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.type === 'answer') asker?.resolve(message.value)
    else asker?.reject(new Error(message.message))
  })
  const host: ImportHost = {
    marketIds: async (keys) =>
      (await ask(
        'marketIds',
        keys.map(({ venue, ticker }) => ({ venue, ticker })),
      )) as number[],
    adopt: async (kind, path, source) => (await ask('adopt', { kind, path, source })) as Adopted,
    adoptFacts: async (versions) => (await ask('adoptFacts', versions)) as Adopted,
    adoptStated: async (statements) => (await ask('adoptStated', statements)) as Adopted,
    settle: async (outcomes, dryRun) =>
      (await ask('settle', { outcomes, dryRun })) as OutcomeFate[],
    tickersNamed: async (venue, names) =>
      (await ask('tickersNamed', { venue, names })) as (Ticker | null)[],
    assetsNamed: async (ids) => (await ask('assetsNamed', ids)) as NamedAsset[],
    nameMarkets: async (titles, dryRun) =>
      (await ask('nameMarkets', { titles, dryRun })) as Awaited<
        ReturnType<ImportHost['nameMarkets']>
      >,
  }
  // A file with many refused rows changes its report at each of them; one message a turn says it.
  const changed = new Map<number, FileReport>()
  const report = (index: number, latest: FileReport): void => {
    if (changed.size === 0) setImmediate(tellChanges)
    changed.set(index, latest)
  }
  const tellChanges = (): void => {
    for (const [index, latest] of changed) say({ type: 'report', index, report: latest })
    changed.clear()
  }
  const reports = await runImport(request, host, settings, stop.signal, report)
  say({ type: 'done', reports })
  port.close()
}
