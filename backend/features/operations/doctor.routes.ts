import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { Doctor } from './doctor.schema.ts'
import type { DoctorService } from './doctor.service.ts'

export const doctorRoutes = (doctor: DoctorService) =>
  new Elysia({ prefix: '/api/doctor', tags: ['operations'], adapter })
    .use(routeWords)
    .get('', () => doctor.checks(), {
      auth: 'operator',
      cache: 'no-store',
      response: answers(Doctor, 401, 429),
      detail: {
        operationId: 'doctor.get',
        summary: 'Stores, copies, coverage and sources of the running service, with what to do',
      },
    })
