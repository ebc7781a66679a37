import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { failedCheck, type DoctorCheck } from '../../domain/doctor-check.ts'
import { readLaunch } from '../../lib/files/launch-file.ts'
import { acceptLosses, openLosses } from '../../lib/files/damage-journal.ts'
import { parseJson } from '../route.ts'
import { createClient } from '../client.ts'
import type { Call, Command } from '../command.ts'
import { checkFolder, fixFolder } from './doctor-folder.ts'
import { checkClock, checkConfigFile, checkKey, checkPort } from './doctor-place.ts'
import { EXIT } from '../failure.ts'
import { text } from '../terminal/output.ts'
import { runningService } from './private-service.ts'

const EXAMINE = fileURLToPath(new URL('../../app/examine.ts', import.meta.url))

/** `augury doctor`: checks the data folder, the stores and the sources, and suggests fixes. */
export const doctorCommand: Command = {
  name: 'doctor',
  synopsis: '[--fix] [--accept-loss]',
  summary: 'check data folder, stores, coverage and sources, and suggest fixes',
  flags: { fix: 'switch', 'accept-loss': 'switch' },
  argumentCount: [0, 0],
  async run(call) {
    const { flags, settings, system } = call
    const { dataDir } = settings
    const runningLaunch = await runningService(dataDir)
    if (flags.has('fix')) {
      for (const fix of fixFolder(dataDir, runningLaunch !== null)) system.report(`fixed: ${fix}\n`)
    }
    if (flags.has('accept-loss') && openLosses(dataDir).length > 0) {
      acceptLosses(dataDir, system.clock.now())
      system.report('accepted: the losses are no longer reported\n')
    }
    const launch = readLaunch(dataDir)
    const checks = [
      ...checkFolder(dataDir, runningLaunch !== null),
      ...(runningLaunch === null
        ? await checksOfFolder(dataDir)
        : await checksOfService(runningLaunch, call)),
      await checkClock(system.clock, runningLaunch?.url ?? null),
      await checkPort(settings.apiUrl, launch?.url ?? null, runningLaunch !== null),
      checkConfigFile(settings.configPath),
      await checkKey(settings, call.client, runningLaunch !== null),
    ]
    const ok = !checks.some(({ state }) => state === 'fail')
    system.print(flags.has('json') ? `${JSON.stringify({ ok, checks })}\n` : linesOf(checks))
    return ok ? EXIT.done : EXIT.failed
  },
}

function linesOf(checks: readonly DoctorCheck[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .map(({ name, state, detail, fix }) => {
      const line = `${state.padEnd(4)}  ${name.padEnd(width)}  ${text(detail)}`
      return fix === null ? `${line}\n` : `${line}\n${' '.repeat(width + 8)}${text(fix)}\n`
    })
    .join('')
}

async function checksOfService(
  { url, secret }: { url: string; secret: string },
  { settings, system }: Call,
): Promise<readonly DoctorCheck[]> {
  const client = createClient({
    apiUrl: url,
    authorization: `Launch ${secret}`,
    timeoutMs: settings.timeoutMs,
    clock: system.clock,
    signal: system.signal,
    waitsForRateLimit: false,
  })
  try {
    return parseJson(await client.get('/api/doctor')).checks
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [failedCheck('service', message, 'See the log of the service; a restart may help')]
  }
}

/** Checks of the stores on disk, made by a separate process. */
function checksOfFolder(dataDir: string): Promise<readonly DoctorCheck[]> {
  const child = fork(EXAMINE, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
  let answer: { checks?: DoctorCheck[]; failed?: string } = {}
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      answer = message as typeof answer
    })
    child.once('error', reject)
    child.once('close', () => {
      const { checks, failed = 'they could not be read' } = answer
      resolve(checks ?? [failedCheck('stores', failed, 'augury restore FOLDER --force')])
    })
    child.send({ dataDir })
  })
}
