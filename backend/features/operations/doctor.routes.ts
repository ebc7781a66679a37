import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { Doctor } from '../../contract/operations.ts'
import type { DoctorService } from './doctor.service.ts'

export const doctorRoutes = (doctor: DoctorService) =>
  new Elysia({ prefix: '/api/doctor', tags: ['operations'], adapter })
    .use(routePolicies)
    .get('', () => doctor.checks(), {
      auth: 'operator',
      cache: 'no-store',
      response: answers(Doctor, 401, 429),
      detail: {
        operationId: 'doctor.get',
        summary:
          'Checks of stores, copies, coverage and sources of the running service, with fixes',
      },
    })
