import { t } from 'elysia'
import type { TSchema } from 'elysia'
import { describe, expect, it } from 'vitest'
import { createSchemaPublisher, wholeSchema } from './openapi-schemas.ts'

describe('published schemas', () => {
  it('drop the default of a value and keep a field of that name', () => {
    const schema = t.Object({ default: t.String(), limit: t.Number({ default: 5 }) })
    expect(wholeSchema({ ...schema })).toEqual({
      type: 'object',
      required: ['default', 'limit'],
      properties: { default: { type: 'string' }, limit: { type: 'number' } },
    })
  })

  it('refer to named schemas, and to copies of them, from any depth', () => {
    const Level = t.Object({ price: t.Number() }, { description: 'of a book' })
    const Book = t.Object({
      bids: t.Array(Level),
      best: t.Optional(Level),
      worst: t.Object(Level.properties, { description: 'last' }),
    })
    const publisher = createSchemaPublisher(
      new Map<TSchema, string>([
        [Level, 'Level'],
        [Book, 'Book'],
      ]),
    )
    expect(publisher.publish({ ...Book })).toEqual({ $ref: '#/components/schemas/Book' })
    const level = { $ref: '#/components/schemas/Level' }
    expect(publisher.components()).toEqual({
      Book: {
        type: 'object',
        required: ['bids', 'worst'],
        properties: {
          bids: { type: 'array', items: level },
          best: level,
          worst: { ...level, description: 'last' },
        },
      },
      Level: {
        type: 'object',
        description: 'of a book',
        required: ['price'],
        properties: { price: { type: 'number' } },
      },
    })
  })

  it('are not named by content that two names share', () => {
    const [Started, Stopped] = [t.Object({ id: t.String() }), t.Object({ id: t.String() })]
    const names = new Map<TSchema, string>([
      [Started, 'Started'],
      [Stopped, 'Stopped'],
    ])
    const { publish } = createSchemaPublisher(names)
    expect(publish(Stopped as never)).toEqual({ $ref: '#/components/schemas/Stopped' })
    expect(publish({ ...Stopped })).toMatchObject({ type: 'object' })
  })
})
