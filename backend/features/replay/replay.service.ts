import type { Static } from 'elysia'
import { reportHtml } from '../../domain/backtest/report/report-html.ts'
import type { RunReport } from '../../domain/backtest/report/report.ts'
import { isoOf } from '../../lib/clock.ts'
import { InvalidInput, NotFound } from '../../lib/errors.ts'
import type {
  ReplayControl,
  ReplayPosition,
  ReplaySpeed,
  ReportsOfUsers,
} from './replay.control.ts'
import { parseInstant } from '../../contract/params.ts'
import { MAX_SPEED, MAX_STEP_SECONDS } from '../../contract/replay.ts'
import type {
  ReplayReport,
  ReplayState,
  SeekBody,
  SpeedBody,
  StepBody,
} from '../../contract/replay.ts'

/** @param control null outside a replay; every call is then refused as not found */
export function createReplay(control: ReplayControl | null, reports: ReportsOfUsers | null) {
  const requireControl = (): ReplayControl => {
    if (control !== null) return control
    throw new NotFound('This is not a replay service. Start one with: augury replay --from T')
  }
  const reportOf = async (userId: string, position: ReplayPosition): Promise<RunReport> => {
    if (reports === null) throw new NotFound('This service has no intents to report on')
    return (await reports.read(userId, position)).report
  }
  return {
    async report(userId: string): Promise<ReplayReport> {
      const { position, reportFiles } = requireControl()
      const now = position()
      const report = await reportOf(userId, now)
      return { ...stateOf(now), files: [...reportFiles(userId)], report: { ...report } }
    },
    /** The report as one self-contained HTML page. */
    async reportPage(userId: string): Promise<string> {
      return reportHtml(await reportOf(userId, requireControl().position()))
    },
    state: (): ReplayState => stateOf(requireControl().position()),
    pause: async (): Promise<ReplayState> => stateOf(await requireControl().pause()),
    resume: (): ReplayState => stateOf(requireControl().resume()),
    async step({ n }: Static<typeof StepBody>): Promise<ReplayState> {
      const { step } = requireControl()
      if (n !== undefined && !(n > 0 && n <= MAX_STEP_SECONDS)) {
        throw new InvalidInput(`n must be above 0 and at most ${MAX_STEP_SECONDS} seconds`)
      }
      return stateOf(await step(n ?? null))
    },
    async seek({ to }: Static<typeof SeekBody>): Promise<ReplayState> {
      const { seek } = requireControl()
      const at = parseInstant(to)
      if (at === null) throw new InvalidInput('to must be an instant in ISO 8601')
      return stateOf(await seek(at))
    },
    async setSpeed({ speed }: Static<typeof SpeedBody>): Promise<ReplayState> {
      const { setSpeed } = requireControl()
      return stateOf(await setSpeed(speedOf(speed)))
    },
  }
}

const stateOf = (position: ReplayPosition): ReplayState => ({
  ...position,
  now: isoOf(position.now),
  from: isoOf(position.from),
  to: isoOf(position.to),
})

function speedOf(speedValue: number | string): ReplaySpeed {
  if (speedValue === 'max' || speedValue === 'step') return speedValue
  if (typeof speedValue === 'number' && speedValue > 0 && speedValue <= MAX_SPEED) return speedValue
  throw new InvalidInput(`speed must be above 0 and at most ${MAX_SPEED}, max, or step`)
}
