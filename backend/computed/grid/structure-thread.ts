import type { MessagePort } from 'node:worker_threads'
import { Fingerprints, structureOf, type Structure, type StructureInput } from './structure.ts'

export interface StructureQuestion {
  readonly id: number
  readonly input: StructureInput
}
export type StructureAnswer =
  | { readonly id: number; readonly structure: Structure }
  | { readonly id: number; readonly message: string }

/** Answers questions about structure on the far side of a port; remembers texts it has read. */
export function answerStructure(port: MessagePort): void {
  const fingerprints = new Fingerprints()
  port.on('message', ({ id, input }: StructureQuestion) => {
    let answer: StructureAnswer
    try {
      answer = { id, structure: structureOf(input, fingerprints) }
    } catch (error) {
      answer = { id, message: error instanceof Error ? error.message : String(error) }
    }
    port.postMessage(answer)
  })
}
