// Documents of holders and their files: a document is created without a file, and a newer file replaces the previous
// one.

import { expect, test } from 'vitest';
import { openTestSandbox, START } from '../../support/sandbox.ts';

const PNG = { contentType: 'image/png', content: Buffer.from([0x89, 0x50, 0x00, 0xff]) };
const refused = (code: string) => expect.objectContaining({ code });

test('a document has the fields of the request, and publishes nothing', async () => {
  const { run, id, bank, newFacts } = openTestSandbox();
  const fields = {
    holderId: id('person'),
    name: 'passport',
    description: 'front',
    docType: 'passport',
    documentNumber: 'P1',
    expirationDate: '2030-01-01',
    issuingCountry: 'US',
    issuingState: 'OR',
  };
  const document = await run(({ documents }) => documents.create(fields));
  expect(document).toEqual({
    ...fields,
    id: document.id,
    status: 'active',
    createdAt: START,
    updatedAt: START,
  });
  expect(bank.documents.byId(document.id)).toEqual(document);
  expect(newFacts()).toEqual([]);
});

test('fields of a document that are not sent are empty', async () => {
  const { run, id } = openTestSandbox();
  const document = await run(({ documents }) =>
    documents.create({ holderId: id('business'), docType: 'license' }),
  );
  expect(document).toMatchObject({ name: '', docType: 'license', expirationDate: '', issuingState: '' });
});

test('a document has no file until one is uploaded, and then the latest one', async () => {
  const { run, id, bank } = openTestSandbox();
  const { id: documentId } = await run(({ documents }) =>
    documents.create({ holderId: id('person'), name: 'x' }),
  );
  expect(() => bank.documents.download(documentId)).toThrow('nothing was uploaded here yet');
  await run(({ documents }) => documents.upload(documentId, PNG));
  expect(bank.documents.download(documentId)).toMatchObject(PNG);
  const newer = { contentType: 'text/plain', content: Buffer.from('newer') };
  await run(({ documents }) => documents.upload(documentId, newer));
  expect(bank.documents.download(documentId)).toMatchObject(newer);
});

test('an empty file is refused, and the previous one stays', async () => {
  const { run, id, bank } = openTestSandbox();
  const { id: documentId } = await run(({ documents }) =>
    documents.create({ holderId: id('person'), name: 'x' }),
  );
  await run(({ documents }) => documents.upload(documentId, PNG));
  const empty = { contentType: 'text/plain', content: Buffer.alloc(0) };
  await expect(run(({ documents }) => documents.upload(documentId, empty))).rejects.toMatchObject({
    code: 'field_invalid',
  });
  expect(bank.documents.download(documentId)).toMatchObject(PNG);
});

test('an unknown document is refused', async () => {
  const { run, bank } = openTestSandbox();
  const nothing = '0'.repeat(32);
  expect(() => bank.documents.byId(nothing)).toThrow(refused('document_not_found'));
  expect(() => bank.documents.download(nothing)).toThrow(refused('document_not_found'));
  await expect(run(({ documents }) => documents.upload(nothing, PNG))).rejects.toMatchObject({
    code: 'document_not_found',
  });
  await expect(run(({ documents }) => documents.create({ holderId: nothing }))).rejects.toMatchObject({
    code: 'holder_not_found',
  });
});
