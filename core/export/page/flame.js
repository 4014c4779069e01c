// Zoom and search of a flame graph: no library, no network. Each frame is a <g class="f"> with its place and
// width in units of the whole (data-x, data-w) and its depth (data-d).
(function () {
	"use strict";
	var svg = document.currentScript ? document.currentScript.closest("svg") : document.documentElement;
	var frames = Array.prototype.slice.call(svg.getElementsByClassName("f"));
	var width = +svg.getAttribute("data-width"), whole = +svg.getAttribute("data-whole");
	var status = svg.querySelector("#status"), field = svg.querySelector("#search");
	var letter = 7.2, sought = "", searching = false, shown = null;

	function place(g) {
		return { x: +g.getAttribute("data-x"), w: +g.getAttribute("data-w"), d: +g.getAttribute("data-d") };
	}

	function nameOf(g) { return g.getAttribute("data-n"); }

	function label(g, pixels) {
		var text = g.getElementsByTagName("text")[0], room = Math.floor((pixels - 6) / letter), name = nameOf(g);
		text.textContent = room < 3 ? "" : name.length <= room ? name : name.slice(0, room - 1) + "\u2026";
	}

	// The frame fills the width; those around it and below it stay, the others go.
	function zoom(to) {
		var at = to ? place(to) : { x: 0, w: whole, d: 0 };
		shown = to;
		frames.forEach(function (g) {
			var p = place(g), around = p.d < at.d && p.x <= at.x && p.x + p.w >= at.x + at.w;
			var below = p.d >= at.d && p.x >= at.x && p.x + p.w <= at.x + at.w;
			var x = around ? 0 : (p.x - at.x) / at.w * width, w = around ? width : p.w / at.w * width;
			var rect = g.getElementsByTagName("rect")[0], text = g.getElementsByTagName("text")[0];
			g.style.display = (around || below) && w >= 0.2 ? "" : "none";
			g.classList.toggle("around", around);
			rect.setAttribute("x", x.toFixed(2));
			rect.setAttribute("width", Math.max(0, w - 0.5).toFixed(2));
			text.setAttribute("x", (x + 3).toFixed(2));
			label(g, w);
		});
		svg.querySelector("#reset").style.display = to && to !== frames[0] ? "" : "none";
	}

	// What matches is marked. Its share counts no time twice: a match within a match is in it already.
	function search() {
		var test, sum = 0, end = -1, n = 0;
		try {
			test = sought ? new RegExp(sought, "i") : null;
		} catch (e) {
			test = null;
		}
		frames.forEach(function (g) {
			var p = place(g), found = !!test && test.test(nameOf(g));
			g.classList.toggle("found", found);
			n += found;
			if (found && p.x >= end) {
				sum += p.w;
				end = p.x + p.w;
			}
		});
		field.textContent = searching || sought ? "Search: " + sought + (searching ? "_" : "") : "Search";
		status.textContent = test ? n + " found, " + (100 * sum / whole).toFixed(2) + " %" : "";
	}

	svg.addEventListener("click", function (event) {
		var g = event.target;
		while (g && g !== svg && !(g.classList && g.classList.contains("f")) && g.id !== "search" && g.id !== "reset")
			g = g.parentNode;
		searching = !!g && g.id === "search";
		if (g && g.id === "reset")
			zoom(null);
		else if (g && g.classList && g.classList.contains("f"))
			zoom(g === shown ? null : g);
		search();
	});
	svg.addEventListener("mouseover", function (event) {
		var g = event.target.parentNode;
		if (!sought && g.classList && g.classList.contains("f"))
			status.textContent = g.getElementsByTagName("title")[0].textContent;
	});
	// A text of one's own: an SVG has no field to type into.
	document.addEventListener("keydown", function (event) {
		if (event.target !== document.body && event.target !== svg && event.target.tagName === "INPUT")
			return;
		if (!searching && (event.key === "/" || event.ctrlKey && event.key === "f")) {
			searching = true;
		} else if (event.key === "Escape") {
			searching = false;
			sought = "";
			zoom(null);
		} else if (!searching) {
			return;
		} else if (event.key === "Enter") {
			searching = false;
		} else if (event.key === "Backspace") {
			sought = sought.slice(0, -1);
		} else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
			sought += event.key;
		}
		event.preventDefault();
		search();
	});
	zoom(null);
	search();
})();
