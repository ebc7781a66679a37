import type { TrackRecord } from '../../contract/theses/reads.ts'
import type { ThesisPage } from '../../contract/theses/thesis.ts'
import type { Client } from '../client.ts'
import type { Call } from '../command.ts'
import { EXIT } from '../failure.ts'
import { printBody, printPage } from '../print-body.ts'
import { screenOf } from '../reads/screen.ts'
import { routePath, jsonOf, parseJson, type JsonText } from '../route.ts'
import type { Verbs } from '../verbs.ts'
import { table } from '../terminal/output.ts'
import { EVALUATION_COLUMNS, edgesText, THESIS_COLUMNS, thesisText } from './thesis-text.ts'
import { backtestText } from './thesis-backtest.ts'
import { contextText, trackRecordText } from './thesis-context.ts'
import { POSITION_COLUMNS } from './thesis-positions.ts'

/** A page of theses, or every page as one body. */
async function thesisPages(client: Client, { flags }: Call): Promise<JsonText<ThesisPage>> {
  const read = (cursor: string | null) =>
    client.get('/api/thesis', {
      status: flags.text('status'),
      limit: flags.number('limit') ?? (flags.has('all') ? 200 : null),
      cursor,
    })
  const first = await read(flags.text('cursor'))
  if (!flags.has('all')) return first
  const rows = [...parseJson(first).data]
  let { pageInfo } = parseJson(first)
  while (pageInfo.nextCursor !== null) {
    const page = parseJson(await read(pageInfo.nextCursor))
    rows.push(...page.data)
    pageInfo = page.pageInfo
  }
  return jsonOf({ data: rows, theses: rows, pageInfo })
}

/** How its edges ended; the rest of the context is left out. */
const trackRecordOf = async (client: Client, id: string): Promise<TrackRecord> => {
  const address = routePath('/api/thesis/:id/context', { id })
  return parseJson(await client.get(address, { limit: 1, depth: false })).trackRecord
}

/** The verbs that change nothing. */
export const THESIS_READS: Verbs = {
  list: {
    argumentCount: [0, 0],
    usage: 'list [--status S] [--limit N] [--cursor C] [--all]',
    async run(client, call) {
      const body = await thesisPages(client, call)
      if (!call.flags.has('json') && parseJson(body).data.length === 0) {
        call.system.report(
          'No theses. Try: augury thesis create "The Fed will cut rates by June 2027"\n',
        )
      }
      return printPage(call, body, THESIS_COLUMNS, '')
    },
  },
  get: {
    argumentCount: [1, 1],
    usage: 'get ID',
    async run(client, call, [id = '']) {
      const body = await client.get(routePath('/api/thesis/:id', { id }))
      const { edgeAnalysis, outcome } = parseJson(body)
      const isScored = outcome !== null || edgeAnalysis?.edges.some(({ settled }) => settled)
      const record =
        isScored === true && !call.flags.has('json') ? await trackRecordOf(client, id) : null
      const screen = screenOf(call.system)
      return printBody(call, body, (thesis) =>
        [
          thesisText(thesis, screen),
          ...(record === null ? [] : ['', trackRecordText(record, screen)]),
        ].join('\n'),
      )
    },
  },
  context: {
    argumentCount: [1, 1],
    usage: 'context ID [--limit N]',
    async run(client, call, [id = '']) {
      const body = await client.get(routePath('/api/thesis/:id/context', { id }), {
        limit: call.flags.number('limit'),
      })
      return printBody(call, body, (context) => contextText(context, screenOf(call.system)))
    },
  },
  positions: {
    argumentCount: [1, 1],
    usage: 'positions ID',
    async run(client, call, [id = '']) {
      const { positions } = parseJson(await client.get(routePath('/api/thesis/:id', { id })))
      const { flags, system } = call
      if (!flags.has('json') && positions.length === 0) {
        system.report(
          'No positions are recorded for this thesis. Those of your account: augury portfolio positions\n',
        )
        return EXIT.done
      }
      return printBody(
        call,
        jsonOf({ positions }),
        table(positions, POSITION_COLUMNS, screenOf(system)),
      )
    },
  },
  edges: {
    argumentCount: [1, 1],
    usage: 'edges ID',
    async run(client, call, [id = '']) {
      const thesis = parseJson(await client.get(routePath('/api/thesis/:id', { id })))
      const edges = jsonOf(thesis.edgeAnalysis ?? { edges: [] })
      return printBody(call, edges, edgesText(thesis, screenOf(call.system)))
    },
  },
  backtest: {
    argumentCount: [1, 1],
    usage: 'backtest ID [--window 90d]',
    async run(client, call, [id = '']) {
      const body = await client.get(routePath('/api/thesis/:id/backtest', { id }), {
        window: call.flags.text('window'),
      })
      return printBody(call, body, (report) => backtestText(report, screenOf(call.system)))
    },
  },
  evaluations: {
    argumentCount: [1, 1],
    usage: 'evaluations ID [--days N] [--raw] [--limit N] [--cursor C]',
    async run(client, call, [id = '']) {
      const { flags } = call
      const body = await client.get(routePath('/api/thesis/:id/evaluations', { id }), {
        days: flags.number('days'),
        raw: flags.has('raw') ? true : null,
        limit: flags.number('limit'),
        cursor: flags.text('cursor'),
      })
      return printPage(call, body, EVALUATION_COLUMNS)
    },
  },
}
