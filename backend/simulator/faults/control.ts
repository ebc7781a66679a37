import { json } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { Faults } from './faults.ts'
import { parseFault, parseScript } from './parse-fault.ts'

/**
 * `POST /control/faults` adds one fault, `POST /control/script` a list of timed faults; `GET
 * /control/faults` returns pending and past ones; `DELETE` clears them.
 */
export function control(method: string, path: string, body: unknown, faults: Faults): Reply {
  if (path === '/control/faults' && method === 'GET') return json({ faults: faults.report() })
  if (path === '/control/faults' && method === 'DELETE') {
    faults.clear()
    return json({ ok: true })
  }
  if (method !== 'POST') return json({ error: 'GET, POST or DELETE faults, POST a script' }, 405)
  if (path === '/control/faults') {
    const fault = parseFault(body)
    if (typeof fault === 'string') return json({ error: fault }, 400)
    return json({ ok: true, id: faults.schedule(fault) })
  }
  const script = parseScript(body)
  if (typeof script === 'string') return json({ error: script }, 400)
  return json({ ok: true, ids: script.map((fault) => faults.schedule(fault)) })
}
