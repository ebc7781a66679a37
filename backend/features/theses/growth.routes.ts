import { Elysia, t } from 'elysia'
import * as param from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, failures, responses } from '../../contract/schemas.ts'
import {
  AugmentBody,
  ForkBody,
  ThesisCloned,
  ThesisEvolved,
  ThesisEvolving,
  TreeAugmented,
} from '../../contract/theses/growth.ts'
import { ClaimRefused } from '../../contract/theses/thesis.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { documentedBody } from '../../http/request/body.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { RepeatedWrites } from '../../state/repeated-writes.ts'
import type { ThesisGrowth } from './growth.service.ts'
import { repeatable } from '../../http/request/repeatable.ts'
import { ownerOnlyByModel, ThesisId } from './thesis-id.ts'

/** Routes that extend a thesis or make another one of it. */
export const growthRoutes = (growth: ThesisGrowth, repeats: RepeatedWrites) =>
  new Elysia({ prefix: '/api/thesis', tags: ['theses'], adapter })
    .use(routePolicies)
    .post(
      '/:id/augment',
      async ({ params, body, request }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        return await repeats.run(write, () => growth.augment(userId, params.id, body))
      },
      {
        ...ownerOnlyByModel,
        params: ThesisId,
        body: documentedBody(AugmentBody),
        response: answers(TreeAugmented, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.augment',
          summary: 'Adds conditions to the tree; nothing that exists changes',
        },
      },
    )
    .post(
      '/:id/fork',
      async ({ params, body, request, query: { sync }, status }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        const forkAnswer = await repeats.run(write, () =>
          growth.fork(userId, params.id, body, sync),
        )
        if (forkAnswer.status === 201) return status(201, forkAnswer.answer)
        return forkAnswer.status === 200
          ? status(200, forkAnswer.answer)
          : status(202, forkAnswer.answer)
      },
      {
        ...ownerOnlyByModel,
        params: t.Object({
          id: t.String({ description: 'id of an own thesis, or slug of a published one' }),
        }),
        body: documentedBody(ForkBody),
        query: query({ sync: param.flag('answers when the evolved thesis is formed') }),
        response: responses({
          200: ThesisEvolved,
          201: ThesisCloned,
          202: ThesisEvolving,
          ...failures(401, 403, 404, 409, 429),
          400: ClaimRefused,
        }),
        detail: {
          operationId: 'thesis.fork',
          summary: 'Copies a thesis, or continues one of your own under another claim',
        },
      },
    )
