import { Agent, get } from 'node:http'

/**
 * Milliseconds of consecutive requests over one keep-alive connection; failures count as infinite.
 */
export async function latencies(url: string, requests: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const spans: number[] = []
  try {
    for (let sent = 0; sent < requests; sent += 1) {
      const startedAt = performance.now()
      const status = await statusOf(url, agent)
      spans.push(status === 200 ? performance.now() - startedAt : Infinity)
    }
  } finally {
    agent.destroy()
  }
  return spans
}

/** The quantile at a share of the values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

const statusOf = (url: string, agent: Agent): Promise<number> =>
  new Promise((resolve) => {
    const sent = get(url, { agent }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', () => resolve(0))
    })
    sent.once('error', () => resolve(0))
  })
