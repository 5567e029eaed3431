/* The replay without page loads: each position is fetched as its plain page and put in place. */
"use strict";
(() => {
  const $ = (selector) => document.querySelector(selector);
  const page = () => $("#replay-page");
  if (!page()) { return; }
  const keys = { ArrowLeft: "previous", ArrowRight: "next", "Shift ArrowLeft": "turn-back", "Shift ArrowRight": "turn-on", Home: "first", End: "last", PageUp: "round-back", PageDown: "round-on" };
  let timer = 0;
  let wait = 1500;
  let latest = 0;

  const show = async (url) => {
    const mine = ++latest;
    const answer = await fetch(url).catch(() => null);
    if (mine !== latest) { return false; }
    if (!answer?.ok) { location.href = url; return false; }
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = parsed.querySelector("#replay-page");
    if (mine !== latest || !next) { return false; }
    const open = $("#replay-page details")?.open;
    const held = document.activeElement?.dataset?.go || document.activeElement?.id;
    page().replaceWith(document.adoptNode(next));
    document.title = parsed.title;
    const plain = new URL(answer.url);
    plain.searchParams.delete("v");
    history.replaceState(null, "", plain);
    $("#replay-page details").open = open;
    if (held) { ($(`a[data-go="${CSS.escape(held)}"]`) || document.getElementById(held))?.focus({ preventScroll: true }); }
    ready();
    $("#told").textContent = timer ? "" : $("#replay-page .changed").textContent.replace(/\s+/g, " ");
    return true;
  };
  const go = async (rel) => {
    const link = $(`a[data-go="${rel}"]`);
    return link ? show(link.href) : false;
  };
  const tell = () => {
    const play = $("[data-play]");
    play.textContent = timer ? play.dataset.stop : play.dataset.play;
  };
  const stop = () => { clearTimeout(timer); timer = 0; tell(); };
  const step = async () => {
    const went = await go("next");
    if (!timer) { return; }
    if (went && $("a[data-go=next]")) { timer = setTimeout(step, wait); } else { stop(); }
  };
  const toggle = () => {
    if (timer) { stop(); } else { timer = setTimeout(step, Math.min(wait, 300)); tell(); }
  };
  const ready = () => {
    const play = $("[data-play]");
    const speed = $("[data-speed]");
    play.hidden = speed.hidden = false;
    tell();
    play.addEventListener("click", toggle);
    const pick = speed.querySelector("select");
    pick.value = String(wait);
    pick.addEventListener("change", () => { wait = Number(pick.value); });
    const slider = $("#n");
    slider.addEventListener("change", () => {
      const url = new URL(location.href);
      url.pathname = url.pathname.replace(/\d+$/, slider.value);
      if (page().dataset.mark) { url.searchParams.set("v", page().dataset.mark); }
      show(url.href);
    });
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#replay-page [data-replay] :is(.steps, .ticks, .turning, .ruler) a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) { return; }
    event.preventDefault();
    show(link.href);
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) { return; }
    const rel = keys[(event.shiftKey ? "Shift " : "") + event.key];
    if (rel) { event.preventDefault(); go(rel); }
    if (event.key === "p") { toggle(); }
  });
  /* A swipe over the words, not over the map, which pans. */
  let from = null;
  document.addEventListener("touchstart", (event) => {
    const aside = event.target.closest(".board, input, .ladder-box");
    from = aside || event.touches.length > 1 ? null : event.touches[0];
  }, { passive: true });
  document.addEventListener("touchend", (event) => {
    if (!from) { return; }
    const dx = event.changedTouches[0].clientX - from.clientX;
    const dy = event.changedTouches[0].clientY - from.clientY;
    if (Math.abs(dx) > 60 && Math.abs(dx) > 2 * Math.abs(dy)) { go(dx < 0 ? "next" : "previous"); }
    from = null;
  }, { passive: true });
  ready();
})();
