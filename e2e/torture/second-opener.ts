import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TortureCampaign } from './campaign.ts'
import { endWithUs } from './leftovers.ts'
import { startService } from './running-service.ts'

const ENTRY = fileURLToPath(new URL('../../backend/main.ts', import.meta.url))

/**
 * A second service on a folder in use exits with code 3, names the first and does not disturb it.
 */
export const secondOpener: TortureCampaign = {
  name: 'second-opener',
  about: 'F13: two services on one data folder',
  rounds: 20,
  async run({ rounds, log }) {
    const first = await startService(['--source', 'none'])
    let [refused, named, answering] = [0, 0, 0]
    try {
      for (let round = 0; round < rounds; round++) {
        const { code, errors } = await startSecond(first.dataDir)
        if (code === 3) refused += 1
        else log(`round ${round}: exit ${code}, ${errors}`)
        if (errors.includes(`Process ${first.pid} `)) named += 1
        answering += await fetch(`${first.url}/api/health`).then(
          ({ ok }) => (ok ? 1 : 0),
          () => 0,
        )
      }
    } finally {
      await first.stop()
    }
    return [
      { name: 'starts of a second service', value: rounds },
      { name: 'exit 3', value: refused, goal: 'all', met: refused === rounds },
      { name: 'the holder named', value: named, goal: 'all', met: named === rounds },
      { name: 'first still answering', value: answering, goal: 'all', met: answering === rounds },
    ]
  },
}

function startSecond(dataDir: string): Promise<{ code: number | null; errors: string }> {
  const flags = ['--source', 'none', '--port', '0', '--data', dataDir, '--log-level', 'silent']
  const child = spawn(process.execPath, [ENTRY, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {},
  })
  endWithUs(child)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, errors })))
}
