import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from './running-service.ts'

const ASK_EVERY = 100

/** Result of an owner's job: its final state and its fields. */
export interface EndedJob {
  readonly state: string
  readonly error: string | null
}

/** Starts a job at a route and waits until it has ended. */
export async function runJob(
  service: RunningService,
  route: string,
  body: object,
): Promise<EndedJob> {
  const started = await service.asOwner(route, { method: 'POST', body })
  if (started.status !== 202) return { state: `${started.status}`, error: await started.text() }
  const { id } = (await started.json()) as { id: string }
  for (;;) {
    const answer = await service.asOwner(`${route}/${id}`)
    const job = (await answer.json()) as { state: string; error?: string | null }
    if (job.state !== 'queued' && job.state !== 'running') {
      return { state: job.state, error: job.error ?? null }
    }
    await sleep(ASK_EVERY)
  }
}
