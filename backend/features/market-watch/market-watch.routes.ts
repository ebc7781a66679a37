import { Elysia, t } from 'elysia'
import type { TSchema } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { documentedBody } from '../../http/request/body.ts'
import { responses } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { HydrationService } from './hydration.service.ts'
import type { MarketWatchHealthService } from './market-watch-health.service.ts'
import {
  Hydration,
  MarketWatchHealth,
  NewPanel,
  PanelChange,
  PanelChanged,
  PanelId,
  PanelCreated,
  PanelOrder,
  PanelRemoved,
  PanelRun,
  PanelsReordered,
  refusals,
} from '../../contract/panels/panels.ts'
import type { PanelRuns } from './panel-runs.service.ts'
import type { Panels } from './panels.service.ts'

/** The `reason` of refused callers, by error code. */
const REASONS = { AUTH_REQUIRED: 'not_authenticated', AUTH_FORBIDDEN: 'not_admin' }
/** Bodies are read as text, so that invalid ones are refused with the reasons of market watch. */
const textBody = (schema: TSchema) => ({ body: documentedBody(schema), parse: 'text' }) as const

/** The caller's board, its panels and their runs; only the session cookie is accepted. */
export function marketWatchRoutes(deps: {
  readonly hydration: HydrationService
  readonly panels: Panels
  readonly runs: PanelRuns
  readonly health: MarketWatchHealthService
}) {
  const { hydration, panels, runs, health } = deps
  return new Elysia({ name: 'market-watch', tags: ['market-watch'], adapter })
    .use(routePolicies)
    .get(
      '/api/dashboard2/market-watch-v2',
      async ({ request }) => {
        const { json, tag } = await hydration.hydrate(knownCaller(request))
        return new Response(
          new Uint8Array(json.buffer, json.byteOffset, json.length) as Uint8Array<ArrayBuffer>,
          {
            headers: { 'content-type': 'application/json', etag: tag },
          },
        )
      },
      {
        auth: 'cookie',
        reasons: REASONS,
        cache: { seconds: 60, revalidate: 300, scope: 'private', cached: false },
        response: responses({ 200: Hydration, ...refusals(401, 429, 503) }),
        detail: {
          operationId: 'marketWatch.hydrate',
          summary: 'Your board: every panel with its content, and the state of the world',
        },
      },
    )
    .post(
      '/api/dashboard2/market-watch/panels',
      async ({ request, body, status }) =>
        status(201, await panels.create(knownCaller(request), body)),
      {
        ...textBody(NewPanel),
        auth: 'cookie',
        reasons: REASONS,
        cache: 'no-store',
        response: responses({ 201: PanelCreated, ...refusals(400, 401, 403, 429, 503) }),
        detail: { operationId: 'marketWatch.create', summary: 'Adds a panel to your board' },
      },
    )
    .post(
      '/api/dashboard2/market-watch/panels/reorder',
      ({ request, body }) => panels.reorder(knownCaller(request), body),
      {
        ...textBody(PanelOrder),
        auth: 'cookie',
        reasons: REASONS,
        cache: 'no-store',
        response: responses({ 200: PanelsReordered, ...refusals(400, 401, 403, 404, 429, 503) }),
        detail: {
          operationId: 'marketWatch.reorder',
          summary: 'Changes the order of your panels',
        },
      },
    )
    .patch(
      '/api/dashboard2/market-watch/panels/:id',
      ({ request, params, body }) => panels.change(knownCaller(request), params.id, body),
      {
        ...textBody(PanelChange),
        params: PanelId,
        auth: 'cookie',
        reasons: REASONS,
        cache: 'no-store',
        response: responses({ 200: PanelChanged, ...refusals(400, 401, 403, 404, 429, 503) }),
        detail: {
          operationId: 'marketWatch.change',
          summary: 'Changes title, spec, status or position of a panel',
        },
      },
    )
    .delete(
      '/api/dashboard2/market-watch/panels/:id',
      ({ request, params }) => panels.remove(knownCaller(request), params.id),
      {
        params: PanelId,
        auth: 'cookie',
        reasons: REASONS,
        cache: 'no-store',
        response: responses({ 200: PanelRemoved, ...refusals(401, 403, 404, 429, 503) }),
        detail: { operationId: 'marketWatch.remove', summary: 'Removes a panel from your board' },
      },
    )
    .post(
      '/api/dashboard2/market-watch/panels/:id/run',
      ({ request, params, body }) => runs.run(knownCaller(request), params.id, body),
      {
        ...textBody(t.Object({})),
        params: PanelId,
        auth: 'cookie',
        reasons: REASONS,
        rate: 'panel-run',
        cache: 'no-store',
        response: responses({ 200: PanelRun, ...refusals(400, 401, 403, 404, 429, 500, 503) }),
        detail: { operationId: 'marketWatch.run', summary: 'Recomputes a panel now' },
      },
    )
    .get('/api/admin/market-watch/health', () => health.health(), {
      auth: 'admin-cookie',
      reasons: REASONS,
      cache: 'no-store',
      response: responses({ 200: MarketWatchHealth, ...refusals(401, 403, 429, 503) }),
      detail: {
        operationId: 'marketWatch.health',
        summary: 'Status of all users’ panels',
      },
    })
}
