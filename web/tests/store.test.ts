import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressState, Store } from "../src/store";

function address(hash: string): AddressState {
  Object.assign(globalThis, { location: { hash }, window: { setTimeout: () => 1 } });
  return new AddressState();
}

const make = (): Store<{ scale: number; name: string; on: boolean; list: readonly number[] }> => new Store({ scale: 1, name: "", on: false, list: [] as readonly number[] });

test("what differs from the start stands in the address, and comes back from it", () => {
  const store = make(), state = address("");
  state.keep("s", store, ["scale", "name", "on", "list"]);
  store.set({ scale: 2.5, name: 'a&b="<c>"', list: [1, 2] });
  const again = make();
  address(`#${state.text()}`).keep("s", again, ["scale", "name", "on", "list"]);
  assert.deepEqual(again.value, store.value);
  assert.ok(!state.text().includes("s.on"));
});

test("values of another kind are not taken from an address", () => {
  const store = make();
  address('#s.scale="2"&s.name=7&s.on=1&s.list=3&s.scale=').keep("s", store, ["scale", "name", "on", "list"]);
  assert.deepEqual(store.value, store.start);
});

test("listeners hear changes only", () => {
  const store = make();
  let heard = 0;
  const end = store.subscribe(() => heard++);
  store.set({ scale: 1 });
  store.set({ scale: 2, on: true });
  assert.equal(heard, 1);
  end();
  store.set({ scale: 3 });
  assert.equal(heard, 1);
});
