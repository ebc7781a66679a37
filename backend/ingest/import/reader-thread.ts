import type { MessagePort } from 'node:worker_threads'
import type { FileReport } from '../../domain/import-report.ts'
import type { Ticker } from '../../domain/market.ts'
import type { NamedAsset, StoredCounts, ImportHost, OutcomeStatus } from './import-host.ts'
import { runImport } from './run-import.ts'
import type { FromReader, HostCalls, ReaderStart, ToReader } from './worker-messages.ts'

interface PendingCall {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Runs one import in a worker thread; it calls the history through messages on the port. */
export async function readInThread(
  port: MessagePort,
  { request: importRequest, settings, attempt }: ReaderStart,
): Promise<void> {
  const pendingCalls = new Map<number, PendingCall>()
  const stop = new AbortController()
  const send = (message: FromReader): void => port.postMessage(message)
  let requestCount = 0
  const request = (method: keyof HostCalls, argument: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      requestCount += 1
      pendingCalls.set(requestCount, { resolve, reject })
      send({ type: 'call', id: requestCount, method, argument })
    })
  port.on('message', (message: ToReader) => {
    if (message.type === 'cancel') return stop.abort()
    const waiter = pendingCalls.get(message.id)
    pendingCalls.delete(message.id)
    if (message.type === 'result') waiter?.resolve(message.value)
    else waiter?.reject(new Error(message.message))
  })
  const host: ImportHost = {
    marketIds: async (keys) =>
      (await request(
        'marketIds',
        keys.map(({ venue, ticker }) => ({ venue, ticker })),
      )) as number[],
    adopt: async (file, step) => (await request('adopt', { file, step })) as StoredCounts,
    adoptFacts: async (versions, isCounted, step) =>
      (await request('adoptFacts', { versions, isCounted, step })) as StoredCounts,
    storeStatements: async (statements, step) =>
      (await request('storeStatements', { statements, step })) as StoredCounts,
    settle: async (outcomes, dryRun, step) =>
      (await request('settle', { outcomes, dryRun, step })) as OutcomeStatus[],
    tickersByName: async (venue, names) =>
      (await request('tickersByName', { venue, names })) as (Ticker | null)[],
    assetsById: async (ids) => (await request('assetsById', ids)) as NamedAsset[],
    describeByIds: async (versions, dryRun) =>
      (await request('describeByIds', { versions, dryRun })) as boolean[],
    nameMarkets: async (titles, dryRun) =>
      (await request('nameMarkets', { titles, dryRun })) as Awaited<
        ReturnType<ImportHost['nameMarkets']>
      >,
  }
  // A file with many refused rows changes its report at each of them; changes of one event-loop
  // turn are sent as one message.
  const changedReports = new Map<number, FileReport>()
  const report = (index: number, latest: FileReport): void => {
    if (changedReports.size === 0) setImmediate(reportChanges)
    changedReports.set(index, latest)
  }
  const reportChanges = (): void => {
    for (const [index, latest] of changedReports) send({ type: 'report', index, report: latest })
    changedReports.clear()
  }
  const reports = await runImport(importRequest, host, settings, stop.signal, report, attempt)
  send({ type: 'done', reports })
  port.close()
}
