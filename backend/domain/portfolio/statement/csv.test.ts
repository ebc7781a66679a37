import { expect, it } from 'vitest'
import { csvRecords } from './csv.ts'

it('reads quoted fields, line breaks and empty lines of CSV', () => {
  expect(csvRecords('\uFEFFa,b\r\n"x, ""y""\nz",2\n\n,\n3,\n')).toEqual([
    { line: 1, fields: ['a', 'b'] },
    { line: 2, fields: ['x, "y"\nz', '2'] },
    { line: 6, fields: ['3', ''] },
  ])
  expect(() => csvRecords('a,"b')).toThrow('line 1: a quoted field is not closed')
})
